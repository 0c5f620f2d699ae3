-- What players are penalised for. Nothing is deleted: one that was forgiven counts no more.
CREATE TABLE "penalty" (
    "id" TEXT NOT NULL,
    "player_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "match_id" TEXT NOT NULL,
    "queue" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "forgiven_at" TIMESTAMPTZ(3),

    CONSTRAINT "penalty_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "penalty_kind_known" CHECK ("kind" IN ('declined', 'no-show', 'left'))
);
-- News of a match may come twice, and counts once.
CREATE UNIQUE INDEX "penalty_match_id_player_id_kind_key" ON "penalty" ("match_id", "player_id", "kind");
CREATE INDEX "penalty_player_id_at_idx" ON "penalty" ("player_id", "at");

-- A session that its server ended without a result.
ALTER TABLE "session" DROP CONSTRAINT "session_state_known";
ALTER TABLE "session"
  ADD CONSTRAINT "session_state_known" CHECK ("state" IN ('reserved', 'live', 'ended', 'abandoned', 'refused', 'unanswered', 'lost'));
