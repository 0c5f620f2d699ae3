CREATE INDEX CONCURRENTLY "match_pool_over" ON "match" ("pool", (coalesce("ended_at", "closed_at")), "id") WHERE coalesce("ended_at", "closed_at") IS NOT NULL;
