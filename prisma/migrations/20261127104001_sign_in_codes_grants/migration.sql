-- Without a service's role there is nothing to grant to it. Can run again, as every migration of grants.
DO $$
BEGIN
  IF to_regrole('muster_queue') IS NOT NULL THEN
    GRANT SELECT, INSERT, DELETE ON "sign_in_code" TO "muster_queue";
  END IF;
END $$;
