-- Sessions are forgotten some time after they closed, the oldest first.
CREATE INDEX CONCURRENTLY "session_closed" ON "session" ("closed_at") WHERE "closed_at" IS NOT NULL;
