-- Without a service's role there is nothing to grant to it. Can run again, as every migration of grants.
-- Every service verifies keys, notes their use, and writes rows of the audit log. None may change or delete rows.
DO $$
BEGIN
  IF to_regrole('muster_queue') IS NOT NULL THEN
    GRANT SELECT, UPDATE ("last_used_at") ON "operator_key" TO "muster_queue";
    GRANT INSERT ON "audit_entry" TO "muster_queue";
    GRANT USAGE ON SEQUENCE "audit_entry_id_seq" TO "muster_queue";
    GRANT INSERT, UPDATE ("revoked_at"), DELETE ON "operator_key" TO "muster_queue";
    GRANT SELECT ON "audit_entry" TO "muster_queue";
    GRANT EXECUTE ON FUNCTION "forget_audit"(TIMESTAMPTZ, INTEGER) TO "muster_queue";
  END IF;
  IF to_regrole('muster_assignment') IS NOT NULL THEN
    GRANT SELECT, UPDATE ("last_used_at") ON "operator_key" TO "muster_assignment";
    GRANT INSERT ON "audit_entry" TO "muster_assignment";
    GRANT USAGE ON SEQUENCE "audit_entry_id_seq" TO "muster_assignment";
  END IF;
  IF to_regrole('muster_allocator') IS NOT NULL THEN
    GRANT SELECT, UPDATE ("last_used_at") ON "operator_key" TO "muster_allocator";
    GRANT INSERT ON "audit_entry" TO "muster_allocator";
    GRANT USAGE ON SEQUENCE "audit_entry_id_seq" TO "muster_allocator";
  END IF;
  IF to_regrole('muster_rating') IS NOT NULL THEN
    GRANT SELECT, UPDATE ("last_used_at") ON "operator_key" TO "muster_rating";
    GRANT INSERT ON "audit_entry" TO "muster_rating";
    GRANT USAGE ON SEQUENCE "audit_entry_id_seq" TO "muster_rating";
  END IF;
END $$;
