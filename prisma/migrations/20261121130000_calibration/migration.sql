-- A search remembers every match that it has counted, for they may come twice and in any order. Nothing was in the table yet.
ALTER TABLE "calibration_search" DROP COLUMN "last_match_id", ADD COLUMN "match_ids" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- One may end without a rating: the pool has changed its units, or its model cannot hold what was found.
ALTER TABLE "calibration_search" DROP CONSTRAINT "calibration_search_state_known";
ALTER TABLE "calibration_search" ADD CONSTRAINT "calibration_search_state_known"
  CHECK ("state" IN ('open', 'concluded', 'seeded', 'dropped'));

-- What is still to be seeded is looked for every few seconds, and there is little of it.
CREATE INDEX "calibration_search_to_seed" ON "calibration_search" ("updated_at") WHERE "state" = 'concluded';
