-- Without the services' roles there is nothing to grant. Can run again, as every migration of grants.
DO $$
BEGIN
  IF to_regrole('muster_rating') IS NULL THEN
    RETURN;
  END IF;
  GRANT SELECT, INSERT, UPDATE, DELETE ON "season" TO "muster_rating";
  GRANT SELECT, INSERT, UPDATE ON "season_standing" TO "muster_rating";
END $$;
