-- Without a service's role there is nothing to grant to it. Can run again, as every migration of grants.
DO $$
BEGIN
  IF to_regrole('muster_rating') IS NOT NULL THEN
    GRANT SELECT ("id", "body", "digest", "reported_by") ON "result_conflict" TO "muster_rating";
  END IF;
END $$;
