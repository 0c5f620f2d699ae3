CREATE INDEX CONCURRENTLY "match_rare_pool_over" ON "match" ("state", "pool", (coalesce("ended_at", "closed_at")), "id") WHERE "state" IN ('abandoned', 'void');
