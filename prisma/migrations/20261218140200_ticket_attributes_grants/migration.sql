-- Assignment stores the documents of tickets with their leaders. Without its role there is nothing to grant.
-- Can run again, as every migration of grants.
DO $$
BEGIN
  IF to_regrole('muster_assignment') IS NULL THEN
    RETURN;
  END IF;
  GRANT INSERT ("attributes") ON "match_player" TO "muster_assignment";
END $$;
