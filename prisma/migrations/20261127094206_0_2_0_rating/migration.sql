ALTER TABLE "rating"
  -- When a rating was last set: time without a match counts from there as well. Null in rows of the release before.
  ADD COLUMN "set_at" TIMESTAMPTZ(3),
  -- A season resets ratings when they are next read or rated, so a rating says in which season it was last changed.
  ADD COLUMN "season" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "season_matches" INTEGER NOT NULL DEFAULT 0,
  -- Where the last match of a player was played, for leaderboards by region.
  ADD COLUMN "region" TEXT,
  -- Skill by side, map, venue or role beside the common skill. Null where the pool rates none.
  ADD COLUMN "aspects" JSONB;
