-- Names that were not seen for long are deleted, oldest first.
CREATE INDEX CONCURRENTLY "player_name_seen_at_idx" ON "player_name" ("seen_at");
