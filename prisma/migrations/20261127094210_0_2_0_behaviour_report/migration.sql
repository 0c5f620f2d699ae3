-- Tells the parties of a match apart: reporters of one party count as one. Null: the reporter queued alone, or a release before
-- wrote the row.
ALTER TABLE "behaviour_report" ADD COLUMN "party" INTEGER;
