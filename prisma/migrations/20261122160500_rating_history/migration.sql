CREATE INDEX CONCURRENTLY "rating_change_pool_generation_player_id_sequence_idx" ON "rating_change" ("pool", "generation", "player_id", "sequence");
