-- Assignment stores it with the match. Without its role there is nothing to grant.
-- Can run again, as every migration of grants.
DO $$
BEGIN
  IF to_regrole('muster_assignment') IS NULL THEN
    RETURN;
  END IF;
  GRANT INSERT ("region_openings") ON "match" TO "muster_assignment";
END $$;
