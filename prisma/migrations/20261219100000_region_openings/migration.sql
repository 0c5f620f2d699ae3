-- From when each region may be used for a match, and how far it is.
ALTER TABLE "match" ADD COLUMN "region_openings" JSONB;
-- The regions of which the tickets were last told that they have no free server; null: a release before told them.
ALTER TABLE "placement" ADD COLUMN "open_regions" TEXT[], ADD COLUMN "anywhere" BOOLEAN;
