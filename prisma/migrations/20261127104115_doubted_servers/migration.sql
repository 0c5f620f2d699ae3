-- The doubted servers of each fleet.
CREATE INDEX CONCURRENTLY "server_doubted" ON "server" ("doubt", "fleet") WHERE "state" IN ('ready', 'draining') AND "doubt" > 0;
