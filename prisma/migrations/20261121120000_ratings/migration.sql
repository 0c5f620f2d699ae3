-- Ratings: pools as versioned data, events as the input of the ledger, generations that a rebuild makes.

-- What a server said of a match beyond its ranks: sides, map, time shares, what each player did.
ALTER TABLE "match" ADD COLUMN "played" JSONB;

CREATE TABLE "pool_version" (
    "pool" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "rules" JSONB NOT NULL,
    "calibration" JSONB NOT NULL,
    "why" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "pool_version_pkey" PRIMARY KEY ("pool","version")
);

ALTER TABLE "rating_pool"
  ADD COLUMN "game_mode" TEXT,
  ADD COLUMN "modifiers" TEXT[] DEFAULT ARRAY[]::TEXT[],
  ADD COLUMN "next_generation" INTEGER NOT NULL DEFAULT 2;

-- Pools of before keep their model and the parameters they were made with.
INSERT INTO "pool_version" ("pool", "version", "rules", "calibration", "why")
SELECT "name", "parameters_version",
  jsonb_build_object(
    'model', "model", 'parameters', "parameters", 'aggregation', 'sum', 'circumstances', '[]'::jsonb, 'partyBonus', 'none',
    'shadowMatches', 50, 'shadowCap', NULL, 'divisions', '[]'::jsonb, 'divisionMargin', NULL,
    'staleAfterDays', 30, 'convergedBelow', 0.5),
  '{"scale": {"mean": 1, "sd": 1}, "offsets": {}, "drawRate": 0, "matches": 0}'::jsonb,
  'The pool as it was before rules had versions.'
FROM "rating_pool";

ALTER TABLE "rating_pool" RENAME COLUMN "parameters_version" TO "version";
ALTER TABLE "rating_pool" DROP COLUMN "model", DROP COLUMN "parameters";
ALTER TABLE "pool_version" ADD CONSTRAINT "pool_version_pool_fkey" FOREIGN KEY ("pool") REFERENCES "rating_pool"("name") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "rating" ADD COLUMN "last_rated_at" TIMESTAMPTZ(3), ADD COLUMN "division" TEXT;
UPDATE "rating" SET "last_rated_at" = "updated_at" WHERE "matches" > 0;

-- The inputs, in the order they took effect: what a rebuild folds. One row an event, whatever generation it is rated in.
CREATE TABLE "rating_event" (
    "sequence" BIGINT NOT NULL,
    "pool" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "detail" JSONB NOT NULL,

    CONSTRAINT "rating_event_pkey" PRIMARY KEY ("sequence")
);
CREATE UNIQUE INDEX "rating_event_pool_kind_event_id_key" ON "rating_event"("pool", "kind", "event_id");
CREATE INDEX "rating_event_pool_sequence_idx" ON "rating_event"("pool", "sequence");
CREATE INDEX "rating_event_event_id_idx" ON "rating_event"("event_id");
INSERT INTO "rating_event" ("sequence", "pool", "kind", "event_id", "at", "detail")
SELECT min(change."sequence"), change."pool", change."kind", change."event_id", min(change."at"),
  jsonb_build_object(
    'ranks', to_jsonb((SELECT "ranks" FROM "match" WHERE "id" = change."event_id")),
    'teams', (SELECT jsonb_agg(team."players" ORDER BY team."team") FROM (
      SELECT "team", jsonb_agg("player_id" ORDER BY "player_id") AS "players" FROM "match_player"
      WHERE "match_id" = change."event_id" GROUP BY "team") AS team),
    'playedAt', floor(extract(epoch FROM min(change."at")) * 1000)::bigint)
FROM "rating_change" AS change WHERE change."kind" = 'match' GROUP BY change."pool", change."kind", change."event_id";

-- What was said of a match before it was rated, in each generation: pool health and calibration live on it.
CREATE TABLE "rated_match" (
    "pool" TEXT NOT NULL,
    "generation" INTEGER NOT NULL,
    "sequence" BIGINT NOT NULL,
    "version" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "ranks" INTEGER[],
    "raw" DOUBLE PRECISION[],
    "chances" DOUBLE PRECISION[],
    "features" JSONB NOT NULL,
    "drift" DOUBLE PRECISION NOT NULL,
    "newcomers" INTEGER NOT NULL,
    "converged" INTEGER NOT NULL,

    CONSTRAINT "rated_match_pkey" PRIMARY KEY ("pool","generation","sequence")
);

CREATE TABLE "pool_rebuild" (
    "id" TEXT NOT NULL,
    "pool" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "generation" INTEGER NOT NULL,
    "rules" JSONB,
    "refit" BOOLEAN NOT NULL,
    "reason" TEXT NOT NULL,
    "done" INTEGER NOT NULL DEFAULT 0,
    "total" INTEGER NOT NULL DEFAULT 0,
    "skipped" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,
    "holder" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "pool_rebuild_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "pool_rebuild_pool_started_at_idx" ON "pool_rebuild"("pool", "started_at");
-- One rebuild of a pool at a time.
CREATE UNIQUE INDEX "pool_rebuild_running" ON "pool_rebuild"("pool") WHERE "state" = 'running';
ALTER TABLE "pool_rebuild" ADD CONSTRAINT "pool_rebuild_state_known" CHECK ("state" IN ('running', 'done', 'failed'));
ALTER TABLE "rating_event" ADD CONSTRAINT "rating_event_kind_known"
  CHECK ("kind" IN ('match', 'void', 'set', 'reset', 'season', 'decay', 'seed'));

-- The search for a newcomer's level, kept by the queue: one row a player and pool.
CREATE TABLE "calibration_search" (
    "pool" TEXT NOT NULL,
    "player_id" TEXT NOT NULL,
    "search" JSONB NOT NULL,
    "last_match_id" TEXT,
    "state" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "calibration_search_pkey" PRIMARY KEY ("pool","player_id")
);
ALTER TABLE "calibration_search" ADD CONSTRAINT "calibration_search_state_known" CHECK ("state" IN ('open', 'concluded', 'seeded'));

ALTER TABLE "rating_change" RENAME COLUMN "parameters_version" TO "version";
-- Read by pool and event alone; two indexes less make every result cheaper to write.
DROP INDEX "rating_change_pool_generation_sequence_idx";
DROP INDEX "rating_change_event_id_idx";

-- Append-only still; but a generation that never came into force is no history, and an abandoned rebuild may take it away.
CREATE OR REPLACE FUNCTION "refuse_ledger_rewrite"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'rating_change' THEN
    IF OLD.generation > (SELECT generation FROM rating_pool WHERE name = OLD.pool) THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'the ledger is append-only: write a correcting row instead';
END;
$$;
CREATE TRIGGER "rating_event_append_only" BEFORE UPDATE OR DELETE ON "rating_event"
  FOR EACH ROW EXECUTE FUNCTION "refuse_ledger_rewrite"();
