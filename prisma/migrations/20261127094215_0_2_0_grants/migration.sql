-- Without a service's role there is nothing to grant to it. Can run again, as every migration of grants.
DO $$
BEGIN
  IF to_regrole('muster_queue') IS NOT NULL THEN
    GRANT SELECT, INSERT, DELETE ON "player_request" TO "muster_queue";
  END IF;
  IF to_regrole('muster_assignment') IS NOT NULL THEN
    -- UPDATE ("id") is for the lock.
    GRANT SELECT, INSERT, UPDATE ("id"), DELETE ON "outbox_sent" TO "muster_assignment";
    GRANT INSERT ("booster", "attributes") ON "match_player" TO "muster_assignment";
    GRANT INSERT ("region_openings") ON "match" TO "muster_assignment";
  END IF;
  IF to_regrole('muster_allocator') IS NOT NULL THEN
    GRANT SELECT, INSERT, UPDATE ("id"), DELETE ON "outbox_sent" TO "muster_allocator";
    GRANT SELECT, INSERT, UPDATE, DELETE ON "server_request", "allocation" TO "muster_allocator";
    GRANT UPDATE ("finished_at") ON "match_player" TO "muster_allocator";
    -- The allocator tells servers the display names of the players of a session.
    GRANT SELECT ON "player_name" TO "muster_allocator";
    -- A server reports habits with the result of a session. They are kept if the rules of the pool say so.
    GRANT SELECT, INSERT, UPDATE ON "player_habit" TO "muster_allocator";
    GRANT SELECT ON "pool_version" TO "muster_allocator";
  END IF;
  IF to_regrole('muster_rating') IS NOT NULL THEN
    GRANT SELECT, INSERT, UPDATE ("id"), DELETE ON "outbox_sent" TO "muster_rating";
    GRANT SELECT, INSERT, UPDATE, DELETE ON "season", "player_name", "integrity_cursor", "integrity_watch", "integrity_case",
      "player_habit" TO "muster_rating";
    GRANT SELECT, INSERT, UPDATE ON "season_standing", "booster", "placement_fit", "pool_tuning" TO "muster_rating";
  END IF;
END $$;
