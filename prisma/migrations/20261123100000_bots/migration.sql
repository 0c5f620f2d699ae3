-- Some servers ask for the mean of a pool's bots in every game; without this it would read the whole pool.
CREATE INDEX "rating_bots_idx" ON "rating" ("pool", "generation") WHERE "player_id" LIKE 'bot:%';
