CREATE INDEX CONCURRENTLY "match_player_newest" ON "match_player" ("player_id", "formed_at", "match_id");
