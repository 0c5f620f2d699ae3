-- Sessions that are played beyond the time limit of a match are looked for twice a second.
CREATE INDEX CONCURRENTLY "session_live_since" ON "session" ("live_at") WHERE "state" = 'live';
