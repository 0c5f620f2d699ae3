-- Without the services' roles there is nothing to grant. Can run again, as every migration of grants.
DO $$
BEGIN
  IF to_regrole('muster_rating') IS NULL THEN
    RETURN;
  END IF;
  GRANT SELECT, INSERT, UPDATE, DELETE ON "integrity_cursor", "integrity_watch", "integrity_case" TO "muster_rating";
END $$;
