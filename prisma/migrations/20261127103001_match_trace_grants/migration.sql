-- Without a service's role there is nothing to grant to it. Can run again, as every migration of grants.
DO $$
BEGIN
  IF to_regrole('muster_assignment') IS NOT NULL THEN
    GRANT INSERT ("trace") ON "match" TO "muster_assignment";
  END IF;
END $$;
