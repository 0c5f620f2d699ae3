-- Servers with free slots, the least loaded first: a placement reads as many as it needs.
CREATE INDEX CONCURRENTLY "server_least_loaded" ON "server" ("build", "region", ("used_slots"::float8 / greatest("slots", 1)), "cpu_load", "id") WHERE "state" = 'ready' AND "used_slots" < "slots";
