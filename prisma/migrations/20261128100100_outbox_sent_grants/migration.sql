-- Without the services' roles there is nothing to grant. Can run again, as every migration of grants.
DO $$
BEGIN
  IF to_regrole('muster_rating') IS NULL THEN
    RETURN;
  END IF;
  -- UPDATE ("id") is for the lock.
  GRANT SELECT, INSERT, UPDATE ("id"), DELETE ON "outbox_sent" TO "muster_assignment", "muster_allocator", "muster_rating";
END $$;
