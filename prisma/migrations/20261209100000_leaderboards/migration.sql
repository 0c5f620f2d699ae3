-- Where the last match of a player was played, for leaderboards by region.
ALTER TABLE "rating" ADD COLUMN "region" TEXT;

-- The last display name of each player. The ledger has ids alone.
CREATE TABLE "player_name" (
    "player_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "player_name_pkey" PRIMARY KEY ("player_id")
);
