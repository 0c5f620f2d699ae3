-- Overloaded servers with free slots, which a match that waits is told of. Other servers have no entry.
CREATE INDEX CONCURRENTLY "server_overloaded" ON "server" ("build", "region") WHERE "state" = 'ready' AND "used_slots" < "slots" AND "overloaded";
