-- Why the session got its server: a message. Null for sessions of the release before.
ALTER TABLE "session" ADD COLUMN "chosen" JSONB;
