-- A server's request for players in the place of those who left.
CREATE TABLE "backfill" (
    "id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "match_id" TEXT NOT NULL,
    "team" INTEGER NOT NULL,
    "seats" INTEGER NOT NULL,
    "seats_left" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "backfill_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "backfill_state_known" CHECK ("state" IN ('open', 'filled', 'withdrawn', 'expired')),
    -- No seat is given away twice, whatever a service believes.
    CONSTRAINT "backfill_seats_left" CHECK ("seats_left" BETWEEN 0 AND "seats" AND ("state" <> 'open' OR "seats_left" > 0))
);
CREATE INDEX "backfill_session_id_idx" ON "backfill" ("session_id");
CREATE INDEX "backfill_state_expires_at_idx" ON "backfill" ("state", "expires_at");

-- Who came late and who left early.
ALTER TABLE "match_player"
  ADD COLUMN "joined_at" TIMESTAMPTZ(3),
  ADD COLUMN "backfill_id" TEXT,
  ADD COLUMN "left_at" TIMESTAMPTZ(3);
