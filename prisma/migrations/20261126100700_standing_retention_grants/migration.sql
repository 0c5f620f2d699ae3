-- The queue deletes penalties and reports past their retention. Without the services' roles there is nothing to grant. Can run
-- again, as every migration of grants.
DO $$
BEGIN
  IF to_regrole('muster_queue') IS NULL THEN
    RETURN;
  END IF;
  GRANT DELETE ON "penalty", "behaviour_report" TO "muster_queue";
END $$;
