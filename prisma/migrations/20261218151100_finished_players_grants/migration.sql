-- The allocator records which players are finished. Without its role there is nothing to grant.
-- Can run again, as every migration of grants.
DO $$
BEGIN
  IF to_regrole('muster_allocator') IS NULL THEN
    RETURN;
  END IF;
  GRANT UPDATE ("finished_at") ON "match_player" TO "muster_allocator";
END $$;
