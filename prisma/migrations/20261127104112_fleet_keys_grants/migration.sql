-- Without a service's role there is nothing to grant to it. Can run again, as every migration of grants.
-- Every service verifies credentials of servers. The allocator alone makes keys, and notes which servers were removed.
DO $$
BEGIN
  IF to_regrole('muster_queue') IS NOT NULL THEN
    GRANT SELECT ON "enrolment_key", "revoked_server" TO "muster_queue";
  END IF;
  IF to_regrole('muster_assignment') IS NOT NULL THEN
    GRANT SELECT ON "enrolment_key", "revoked_server" TO "muster_assignment";
  END IF;
  IF to_regrole('muster_rating') IS NOT NULL THEN
    GRANT SELECT ON "enrolment_key", "revoked_server" TO "muster_rating";
  END IF;
  IF to_regrole('muster_allocator') IS NOT NULL THEN
    GRANT SELECT, INSERT, UPDATE, DELETE ON "enrolment_key", "revoked_server" TO "muster_allocator";
  END IF;
END $$;
