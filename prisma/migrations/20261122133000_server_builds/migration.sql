-- The builds of the servers that are registered are read by skipping from one to the next, so that servers are not counted through.
CREATE INDEX CONCURRENTLY "server_builds" ON "server" ("build") WHERE "state" IN ('ready', 'draining');
