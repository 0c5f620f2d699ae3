-- Without the services' roles there is nothing to grant. Can run again, as every migration of grants.
DO $$
BEGIN
  IF to_regrole('muster_rating') IS NOT NULL THEN
    GRANT SELECT, INSERT, UPDATE, DELETE ON "player_habit" TO "muster_rating";
  END IF;
  -- A server reports habits with the result of a session. They are kept if the rules of the pool say so.
  IF to_regrole('muster_allocator') IS NOT NULL THEN
    GRANT SELECT, INSERT, UPDATE ON "player_habit" TO "muster_allocator";
    GRANT SELECT ON "pool_version" TO "muster_allocator";
  END IF;
END $$;
