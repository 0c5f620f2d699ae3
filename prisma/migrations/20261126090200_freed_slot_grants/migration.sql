-- The allocator closes sessions and counts the slots of servers. Without its role there is nothing to grant.
-- Can run again, as every migration of grants.
DO $$
BEGIN
  IF to_regrole('muster_allocator') IS NULL THEN
    RETURN;
  END IF;
  GRANT SELECT, INSERT, UPDATE ("id"), DELETE ON "freed_slot" TO "muster_allocator";
  GRANT USAGE ON SEQUENCE "freed_slot_id_seq" TO "muster_allocator";
END $$;
