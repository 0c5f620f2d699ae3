-- Without the services' roles there is nothing to grant. Can run again, as every migration of grants.
DO $$
BEGIN
  IF to_regrole('muster_allocator') IS NULL THEN
    RETURN;
  END IF;
  GRANT SELECT, INSERT, UPDATE, DELETE ON "allocation" TO "muster_allocator";
END $$;
