-- Since when the server has been heard without a gap longer than the silence limit.
ALTER TABLE "server" ADD COLUMN "heard_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
-- The allocator that recorded the last heartbeat of the server; null when only an older release did.
ALTER TABLE "server" ADD COLUMN "heard_by" TEXT;
