-- From when each region may be used for a match, and how far it is.
ALTER TABLE "match" ADD COLUMN "region_openings" JSONB;
