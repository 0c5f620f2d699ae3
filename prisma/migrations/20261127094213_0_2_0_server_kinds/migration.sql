-- The kinds of servers of a build by region: a placement reads one entry of each.
CREATE INDEX CONCURRENTLY "server_kinds" ON "server" ("build", "region", "kind") WHERE "state" IN ('ready', 'draining');
