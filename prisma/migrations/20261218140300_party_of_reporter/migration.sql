ALTER TABLE "behaviour_report" ADD COLUMN "party" integer;
