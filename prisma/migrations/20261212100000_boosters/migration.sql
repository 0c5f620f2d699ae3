-- Boosters: a limited number of matches of a player in another division. A match counts one where it is rated, and a void match
-- gives it back, so the count is that of the ledger.
CREATE TABLE "booster" (
    "id" TEXT NOT NULL,
    "pool" TEXT NOT NULL,
    "player_id" TEXT NOT NULL,
    "division" TEXT NOT NULL,
    "matches" INTEGER NOT NULL,
    "used" INTEGER NOT NULL DEFAULT 0,
    "k_factor" DOUBLE PRECISION NOT NULL,
    "by" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "granted_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_by" TEXT,
    "revoked_reason" TEXT,

    CONSTRAINT "booster_pkey" PRIMARY KEY ("id"),
    -- A booster never counts for more matches than it has, and none is given back twice.
    CONSTRAINT "booster_used" CHECK ("used" BETWEEN 0 AND "matches")
);

CREATE INDEX "booster_of_player" ON "booster"("pool", "player_id", "granted_at");

-- The booster with which a player plays a match: its id, its division, and whether that is above the player's own. The release
-- before leaves it out, and its matches count as without one.
ALTER TABLE "match_player" ADD COLUMN "booster" JSONB;
