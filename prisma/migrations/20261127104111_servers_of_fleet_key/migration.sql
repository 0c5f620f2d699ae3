-- The servers of a key that are there: its caps count them.
CREATE INDEX CONCURRENTLY "server_of_key" ON "server" ("key_id", "slots") WHERE "state" IN ('ready', 'draining') AND "key_id" IS NOT NULL;
