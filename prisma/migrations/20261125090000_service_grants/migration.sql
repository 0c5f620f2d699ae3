-- One role a service, which may write the tables that the service owns and read the tables that it reads.
--
-- A migration whose name ends in "_grants" can run again: migrate() repeats it while a role or its grants are missing, because
-- the user who migrates may not be allowed to create roles. See "Roles" in docs/operations.md.

DO $$
DECLARE
  service text;
  may_take text := CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END;
BEGIN
  -- Roles belong to the whole server: another database of it may have made them, or may be making them now.
  FOREACH service IN ARRAY ARRAY['muster_queue', 'muster_assignment', 'muster_allocator', 'muster_rating'] LOOP
    IF to_regrole(service) IS NULL THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I NOLOGIN', service);
      EXCEPTION
        WHEN duplicate_object OR unique_violation THEN
          NULL;
        WHEN insufficient_privilege THEN
          RAISE NOTICE 'The role % is missing and % may not create it: see "Roles" in docs/operations.md.', service, current_user;
          RETURN;
      END;
    END IF;
    -- The services connect as the user who migrates unless told otherwise.
    IF NOT pg_has_role(session_user, service, may_take) THEN
      BEGIN
        EXECUTE format('GRANT %I TO %I', service, session_user);
      EXCEPTION
        WHEN duplicate_object OR unique_violation THEN
          NULL;
        WHEN insufficient_privilege THEN
          RAISE NOTICE '% may not take the role %: see "Roles" in docs/operations.md.', session_user, service;
      END;
    END IF;
    EXECUTE format('GRANT USAGE ON SCHEMA public TO %I', service);
    EXECUTE format('GRANT SELECT ON "_prisma_migrations" TO %I', service);
  END LOOP;

  -- The outbox is written by each service that enqueues, under its own name in "owner". UPDATE ("id") lets rows be
  -- locked; the key itself does not change (see the migration lock_keys).
  GRANT SELECT, INSERT, UPDATE ("id"), DELETE ON "outbox" TO "muster_assignment", "muster_allocator", "muster_rating";
  GRANT USAGE ON SEQUENCE "outbox_id_seq" TO "muster_assignment", "muster_allocator", "muster_rating";

  -- The queue's own tables.
  GRANT SELECT, INSERT, UPDATE, DELETE ON "party", "party_member", "party_invitation", "avoided_player" TO "muster_queue";
  GRANT SELECT, INSERT, UPDATE ON "calibration_search", "penalty" TO "muster_queue";
  GRANT SELECT, INSERT ON "queue_rules", "behaviour_report" TO "muster_queue";

  -- Assignment's own tables. UPDATE ("match_id") is for the lock.
  GRANT SELECT, INSERT, UPDATE, DELETE ON "live_balance" TO "muster_assignment";
  GRANT SELECT, INSERT, UPDATE ("match_id"), DELETE ON "proposal_verdict" TO "muster_assignment";
  GRANT SELECT, INSERT ON "balance_order" TO "muster_assignment";
  -- It forms matches, and holds and moves their players.
  GRANT SELECT, INSERT ("id", "origin", "state", "pool", "queue", "build", "regions", "rules", "split", "why", "prediction", "ranks",
    "map", "bots", "proposed_at", "formed_at") ON "match" TO "muster_assignment";
  GRANT SELECT, INSERT ("match_id", "player_id", "team", "ticket_id", "mu", "sigma", "waited_ms", "role", "formed_at", "joined_at",
    "backfill_id"), UPDATE ("team") ON "match_player" TO "muster_assignment";
  GRANT SELECT, INSERT ON "live_player" TO "muster_assignment";
  -- It takes seats of a running match. UPDATE ("id") on sessions is for the lock.
  GRANT SELECT, UPDATE ("seats_left", "state", "closed_at") ON "backfill" TO "muster_assignment";
  GRANT SELECT, UPDATE ("id") ON "session" TO "muster_assignment";
  GRANT SELECT ON "placement" TO "muster_assignment";

  -- The allocator's own tables.
  GRANT SELECT, INSERT, UPDATE, DELETE ON "server", "allocator_replica", "session", "placement", "scale_out", "command", "backfill"
    TO "muster_allocator";
  GRANT SELECT, INSERT, DELETE ON "result", "result_conflict" TO "muster_allocator";
  GRANT SELECT, DELETE ON "slot" TO "muster_allocator";
  GRANT USAGE ON SEQUENCE "result_conflict_id_seq" TO "muster_allocator";
  GRANT SELECT, UPDATE ON SEQUENCE "server_incarnation" TO "muster_allocator";
  -- It places, ends and abandons matches, and lets players go.
  GRANT SELECT, UPDATE ("state", "session_id", "server_id", "region", "placed_at", "ended_at", "ranks", "played", "blame", "closed_at",
    "close_reason") ON "match" TO "muster_allocator";
  GRANT SELECT, UPDATE ("left_at"), DELETE ON "match_player" TO "muster_allocator";
  GRANT SELECT, DELETE ON "live_player" TO "muster_allocator";
  -- A late result counts unless its players were rated since.
  GRANT SELECT ON "rating", "rating_pool" TO "muster_allocator";

  -- Rating's own tables.
  GRANT SELECT, INSERT, UPDATE, DELETE ON "rating" TO "muster_rating";
  GRANT SELECT, INSERT, UPDATE ON "rating_pool", "pool_rebuild" TO "muster_rating";
  GRANT SELECT, INSERT, DELETE ON "rating_change", "rated_match" TO "muster_rating";
  GRANT SELECT, INSERT ON "rating_event", "pool_version" TO "muster_rating";
  GRANT USAGE ON SEQUENCE "ledger_sequence" TO "muster_rating";
  -- It rates and closes matches, stores those that a game server reports, and lets players go.
  GRANT SELECT, INSERT ("id", "origin", "state", "external_id", "digest", "pool", "ranks", "played", "regions", "why", "prediction",
    "formed_at", "ended_at", "closed_at"), UPDATE ("state", "closed_at", "close_reason", "prediction") ON "match" TO "muster_rating";
  GRANT SELECT, INSERT ("match_id", "player_id", "team", "mu", "sigma", "formed_at") ON "match_player" TO "muster_rating";
  GRANT SELECT, DELETE ON "live_player" TO "muster_rating";
  GRANT INSERT ON "result_conflict" TO "muster_rating";
  GRANT USAGE ON SEQUENCE "result_conflict_id_seq" TO "muster_rating";
  -- Which pools a queue matches by.
  GRANT SELECT ON "queue_rules" TO "muster_rating";
END $$;
