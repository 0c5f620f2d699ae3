-- The allocator tells servers the display names of the players of a session. Without its role there is nothing to grant.
-- Can run again, as every migration of grants.
DO $$
BEGIN
  IF to_regrole('muster_allocator') IS NULL THEN
    RETURN;
  END IF;
  GRANT SELECT ON "player_name" TO "muster_allocator";
END $$;
