-- When the server said that a player is finished in a match that goes on.
ALTER TABLE "match_player" ADD COLUMN "finished_at" TIMESTAMPTZ(3);
