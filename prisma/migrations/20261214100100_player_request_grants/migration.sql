-- Without the services' roles there is nothing to grant. Can run again, as every migration of grants.
DO $$
BEGIN
  IF to_regrole('muster_queue') IS NOT NULL THEN
    GRANT SELECT, INSERT, DELETE ON "player_request" TO "muster_queue";
  END IF;
  IF to_regrole('muster_rating') IS NOT NULL THEN
    GRANT DELETE ON "player_name" TO "muster_rating";
  END IF;
END $$;
