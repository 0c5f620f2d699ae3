-- "match_player_newest" has the same columns, and begins with the player as well.
DROP INDEX CONCURRENTLY "match_player_player_id_match_id_idx";
