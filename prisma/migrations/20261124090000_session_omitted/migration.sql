-- Since when no heartbeat of its server has named a live session.
ALTER TABLE "session" ADD COLUMN "omitted_at" TIMESTAMPTZ(3);
