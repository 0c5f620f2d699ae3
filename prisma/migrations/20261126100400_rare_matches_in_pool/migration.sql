CREATE INDEX CONCURRENTLY "match_rare_pool_formed" ON "match" ("state", "pool", "formed_at", "id") WHERE "state" IN ('abandoned', 'void');
