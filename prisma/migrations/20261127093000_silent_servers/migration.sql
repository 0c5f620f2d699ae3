-- Servers by the time at which they were heard: the one that has been silent the longest is the first.
CREATE INDEX CONCURRENTLY "server_silent" ON "server" ("heartbeat_at") WHERE "state" IN ('ready', 'draining');
