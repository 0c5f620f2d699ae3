-- Players whom an operator keeps from queues for a time. At most one each: another replaces it.
CREATE TABLE "player_ban" (
    "player_id" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "by" TEXT NOT NULL,

    CONSTRAINT "player_ban_pkey" PRIMARY KEY ("player_id"),
    CONSTRAINT "player_ban_ends_later" CHECK ("until" > "since")
);

CREATE INDEX "player_ban_since" ON "player_ban"("since");
CREATE INDEX "player_ban_until" ON "player_ban"("until");
