-- Without the services' roles there is nothing to grant. Can run again, as every migration of grants.
DO $$
BEGIN
  IF to_regrole('muster_rating') IS NULL OR to_regrole('muster_assignment') IS NULL THEN
    RETURN;
  END IF;
  GRANT SELECT, INSERT, UPDATE ON "booster" TO "muster_rating";
  GRANT INSERT ("booster") ON "match_player" TO "muster_assignment";
END $$;
