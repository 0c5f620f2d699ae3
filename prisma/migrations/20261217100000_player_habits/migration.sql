-- What the games tell of players' devices, settings and networks: a keyed hash of the last code of each kind. Only pools that watch
-- have rows. The key says that a player has one code of a kind.
CREATE TABLE "player_habit" (
    "pool" TEXT NOT NULL,
    "player_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "player_habit_pkey" PRIMARY KEY ("pool", "player_id", "kind")
);

-- Who has the same code, and how many report a kind.
CREATE INDEX "player_habit_code" ON "player_habit" ("pool", "kind", "code");
CREATE INDEX "player_habit_seen_at" ON "player_habit" ("seen_at");
