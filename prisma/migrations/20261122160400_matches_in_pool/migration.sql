CREATE INDEX CONCURRENTLY "match_pool_formed_at_id_idx" ON "match" ("pool", "formed_at", "id");
