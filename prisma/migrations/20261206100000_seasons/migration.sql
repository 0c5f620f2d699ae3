-- Seasons of a pool, and the last standings of their players. A season resets ratings when they are next read or rated, so a
-- rating says in which season it was last changed. The release before leaves the new columns as they are.
ALTER TABLE "rating_pool" ADD COLUMN "seasons" JSONB NOT NULL DEFAULT '[]';

ALTER TABLE "rating" ADD COLUMN "season" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "season_matches" INTEGER NOT NULL DEFAULT 0;

CREATE TABLE "season" (
    "pool" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "rules" JSONB NOT NULL,
    "by" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "starts_at" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "generation" INTEGER,
    "version" INTEGER,
    "read_through" TEXT,
    "ranked" INTEGER NOT NULL DEFAULT 0,
    "last_mu" DOUBLE PRECISION,
    "last_rank" INTEGER,
    "archived_at" TIMESTAMPTZ(3),

    CONSTRAINT "season_pkey" PRIMARY KEY ("pool","number")
);

CREATE TABLE "season_standing" (
    "pool" TEXT NOT NULL,
    "season" INTEGER NOT NULL,
    "player_id" TEXT NOT NULL,
    "mu" DOUBLE PRECISION NOT NULL,
    "sigma" DOUBLE PRECISION NOT NULL,
    "display" DOUBLE PRECISION NOT NULL,
    "matches" INTEGER NOT NULL,
    "division" TEXT NOT NULL,
    "hidden" BOOLEAN NOT NULL,
    "rank" INTEGER,

    CONSTRAINT "season_standing_pkey" PRIMARY KEY ("pool","season","player_id")
);

CREATE INDEX "season_standing_rank" ON "season_standing"("pool", "season", "rank", "player_id");

-- Shrinks to nothing as ranks are given.
CREATE INDEX "season_standing_unranked" ON "season_standing"("pool", "season", "mu" DESC, "player_id") WHERE "rank" IS NULL AND NOT "hidden";

-- The seasons with something to do: announced, or ended and not archived. Few.
CREATE INDEX "season_due" ON "season"("pool", "number") WHERE "archived_at" IS NULL;
