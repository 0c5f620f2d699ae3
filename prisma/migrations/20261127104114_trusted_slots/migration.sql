-- The servers with free slots of a build, region and set of labels, the trusted ones first, by their load.
CREATE INDEX CONCURRENTLY "server_trusted_slots" ON "server" ("build", "region", "kind", "doubt", ("used_slots"::float8 / greatest("slots", 1)), (greatest("cpu_load", "tick_load")), "id") WHERE "state" = 'ready' AND "used_slots" < "slots" AND NOT "overloaded";
