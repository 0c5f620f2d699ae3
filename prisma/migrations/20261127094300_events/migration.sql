-- Events for receivers outside: what a commit changed is written to "event_outbox" in that commit, by triggers, because
-- every writer of a table is a source of events: all services, the release before, and commands of the operator.
CREATE TABLE "event_outbox" (
  "id" BIGSERIAL NOT NULL,
  "event_id" TEXT NOT NULL DEFAULT ('evt_'::text || replace((gen_random_uuid())::text, '-'::text, ''::text)),
  "type" TEXT NOT NULL,
  "version" INTEGER NOT NULL DEFAULT 1,
  "order_key" TEXT NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
  "data" JSONB NOT NULL,
  CONSTRAINT "event_outbox_pkey" PRIMARY KEY ("id")
);

-- Events in the order in which readers get them. Positions have no gaps, and a lower one never appears after a higher one.
CREATE TABLE "event_log" (
  "position" BIGINT NOT NULL,
  "event_id" TEXT NOT NULL,
  "type" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "order_key" TEXT NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "data" JSONB NOT NULL,
  "logged_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "event_log_pkey" PRIMARY KEY ("position")
);

-- One row, which the first who gives a number inserts. Its lock makes positions follow commits: who gives numbers holds it.
CREATE TABLE "event_bounds" (
  "id" INTEGER NOT NULL DEFAULT 1,
  "last" BIGINT NOT NULL DEFAULT 0,
  "forgotten" BIGINT NOT NULL DEFAULT 0,
  CONSTRAINT "event_bounds_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "event_bounds_one_row" CHECK ("id" = 1)
);

-- How far the events of a realm's tickets, which are in Redis, are copied.
CREATE TABLE "ticket_event_place" (
  "realm" TEXT NOT NULL,
  "place" TEXT NOT NULL,
  CONSTRAINT "ticket_event_place_pkey" PRIMARY KEY ("realm")
);

CREATE TABLE "webhook" (
  "id" TEXT NOT NULL,
  "url" TEXT NOT NULL,
  "types" TEXT[],
  "note" TEXT NOT NULL DEFAULT '',
  "state" TEXT NOT NULL DEFAULT 'active',
  "paused_reason" TEXT,
  "secrets" JSONB NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "webhook_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "webhook_state" CHECK ("state" IN ('active', 'paused', 'deleted'))
);

-- What a webhook is to receive. Of those with the same key, one is due and the others are behind it.
CREATE TABLE "webhook_delivery" (
  "webhook_id" TEXT NOT NULL,
  "position" BIGINT NOT NULL,
  "order_key" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "attempts" INTEGER NOT NULL DEFAULT 0,
  "next_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "first_at" TIMESTAMPTZ(3),
  "last_at" TIMESTAMPTZ(3),
  "status" INTEGER,
  "error" TEXT,
  CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("webhook_id", "position"),
  CONSTRAINT "webhook_delivery_state" CHECK ("state" IN ('due', 'behind', 'delivered', 'dead')),
  CONSTRAINT "webhook_delivery_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "webhook" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "webhook_delivery_due" ON "webhook_delivery" ("webhook_id", "next_at") WHERE "state" = 'due';
CREATE INDEX "webhook_delivery_open" ON "webhook_delivery" ("webhook_id", "order_key", "position")
  WHERE "state" IN ('due', 'behind');
CREATE INDEX "webhook_delivery_dead" ON "webhook_delivery" ("webhook_id", "position") WHERE "state" = 'dead';

CREATE FUNCTION "event_ms"("at" timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT floor(extract(epoch FROM "at") * 1000)::bigint
$$;

-- The functions below write with the rights of the tables' owner: no role of a service may write events itself.

-- At the end of the transaction, when the roster is complete.
CREATE FUNCTION "emit_match"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO "event_outbox" ("type", "order_key", "data")
  SELECT 'match.' || NEW."state", NEW."id", jsonb_build_object(
    'matchId', NEW."id", 'state', NEW."state", 'origin', NEW."origin", 'queue', NEW."queue", 'pool', NEW."pool",
    'map', NEW."map", 'region', NEW."region", 'serverId', NEW."server_id", 'sessionId', NEW."session_id",
    'teams', coalesce((
      SELECT jsonb_agg(team.players ORDER BY team.number) FROM (
        SELECT "team" AS number, jsonb_agg("player_id" ORDER BY "player_id") AS players
        FROM "match_player" WHERE "match_id" = NEW."id" GROUP BY "team") AS team), '[]'::jsonb),
    'ranks', to_jsonb(NEW."ranks"), 'reason', NEW."close_reason",
    'formedAt', event_ms(NEW."formed_at"), 'placedAt', event_ms(NEW."placed_at"), 'endedAt', event_ms(NEW."ended_at"),
    'closedAt', event_ms(NEW."closed_at"));
  RETURN NULL;
END;
$$;

CREATE FUNCTION "emit_session"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO "event_outbox" ("type", "order_key", "data")
  VALUES ('session.' || NEW."state", NEW."match_id", jsonb_build_object(
    'sessionId', NEW."id", 'matchId', NEW."match_id", 'serverId', NEW."server_id", 'state', NEW."state",
    'host', NEW."host", 'port', NEW."port", 'reason', NEW."reason",
    'reservedAt', event_ms(NEW."reserved_at"), 'liveAt', event_ms(NEW."live_at"), 'closedAt', event_ms(NEW."closed_at")));
  RETURN NULL;
END;
$$;

CREATE FUNCTION "emit_server"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO "event_outbox" ("type", "order_key", "data")
  VALUES ('server.' || NEW."state", 'server ' || NEW."id", jsonb_build_object(
    'serverId', NEW."id", 'state', NEW."state", 'region', NEW."region", 'build', NEW."build", 'host', NEW."host",
    'port', NEW."port", 'slots', NEW."slots", 'incarnation', NEW."incarnation",
    'drainedByOperator', NEW."drained_by_operator"));
  RETURN NULL;
END;
$$;

CREATE FUNCTION "emit_result"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO "event_outbox" ("type", "order_key", "data")
  VALUES ('result.received', NEW."match_id", jsonb_build_object(
    'matchId', NEW."match_id", 'sessionId', NEW."session_id", 'receivedAt', event_ms(NEW."received_at"),
    -- Without what servers tell of devices: it is for signals of integrity alone.
    'result', CASE WHEN jsonb_typeof(NEW."body" -> 'players') = 'array' THEN jsonb_set(NEW."body", '{players}', coalesce((
      SELECT jsonb_agg(player - 'habits') FROM jsonb_array_elements(NEW."body" -> 'players') AS player), '[]'::jsonb))
      ELSE NEW."body" END));
  RETURN NULL;
END;
$$;

CREATE FUNCTION "emit_result_conflict"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO "event_outbox" ("type", "order_key", "data")
  VALUES ('result.conflict', NEW."match_id", jsonb_build_object('matchId', NEW."match_id", 'reportedBy', NEW."reported_by",
    'reason', NEW."reason", 'receivedAt', event_ms(NEW."received_at")));
  RETURN NULL;
END;
$$;

-- At the end of the transaction, when the ledger has the changes of all players. Seasons and decay concern a whole pool.
CREATE FUNCTION "emit_rating"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO "event_outbox" ("type", "order_key", "data")
  SELECT 'rating.changed', CASE WHEN NEW."kind" IN ('match', 'void') THEN NEW."event_id" ELSE 'pool ' || NEW."pool" END,
    jsonb_build_object('pool', NEW."pool", 'kind', NEW."kind", 'eventId', NEW."event_id", 'sequence', NEW."sequence",
      'matchId', CASE WHEN NEW."kind" IN ('match', 'void') THEN NEW."event_id" END, 'at', event_ms(NEW."at"),
      'changes', CASE WHEN NEW."kind" IN ('season', 'decay', 'void') THEN '[]'::jsonb ELSE coalesce((
        SELECT jsonb_agg(jsonb_build_object('playerId', "player_id", 'before', "before", 'after', "after") ORDER BY "player_id")
        FROM "rating_change" JOIN "rating_pool" ON "rating_pool"."name" = "rating_change"."pool"
          AND "rating_pool"."generation" = "rating_change"."generation"
        WHERE "rating_change"."pool" = NEW."pool" AND "rating_change"."kind" = NEW."kind"
          AND "rating_change"."event_id" = NEW."event_id"), '[]'::jsonb) END);
  RETURN NULL;
END;
$$;

CREATE FUNCTION "emit_penalty"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO "event_outbox" ("type", "order_key", "data")
  VALUES (CASE WHEN NEW."forgiven_at" IS NULL THEN 'penalty.imposed' ELSE 'penalty.forgiven' END, 'player ' || NEW."player_id",
    jsonb_build_object('penaltyId', NEW."id", 'playerId', NEW."player_id", 'kind', NEW."kind", 'matchId', NEW."match_id",
      'queue', NEW."queue", 'at', event_ms(NEW."at"), 'forgivenAt', event_ms(NEW."forgiven_at"), 'reason', NEW."lifted_why"));
  RETURN NULL;
END;
$$;

CREATE FUNCTION "emit_rules"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO "event_outbox" ("type", "order_key", "data")
  VALUES ('rules.changed', 'queue ' || NEW."queue", jsonb_build_object('queue', NEW."queue", 'version', NEW."version",
    'why', NEW."why", 'appliesTo', NEW."applies_to", 'at', event_ms(NEW."created_at")));
  RETURN NULL;
END;
$$;

CREATE FUNCTION "emit_season"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  "what" text := CASE WHEN NEW."ended_at" IS NOT NULL THEN 'ended' WHEN NEW."started_at" IS NOT NULL THEN 'started'
    ELSE 'announced' END;
BEGIN
  INSERT INTO "event_outbox" ("type", "order_key", "data")
  VALUES ('season.' || "what", 'pool ' || NEW."pool", jsonb_build_object('pool', NEW."pool", 'number', NEW."number",
    'name', NEW."name", 'startsAt', event_ms(NEW."starts_at"), 'startedAt', event_ms(NEW."started_at"),
    'endedAt', event_ms(NEW."ended_at")));
  RETURN NULL;
END;
$$;

CREATE FUNCTION "emit_case"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO "event_outbox" ("type", "order_key", "data")
  VALUES (CASE WHEN NEW."state" = 'open' THEN 'case.opened' ELSE 'case.closed' END, 'case ' || NEW."id", jsonb_build_object(
    'caseId', NEW."id", 'pool', NEW."pool", 'kind', NEW."kind", 'players', to_jsonb(NEW."players"), 'server', NEW."server",
    'evidence', NEW."evidence", 'matches', NEW."matches", 'verdict', NEW."verdict", 'closedBy', NEW."closed_by",
    'openedAt', event_ms(NEW."opened_at"), 'closedAt', event_ms(NEW."closed_at")));
  RETURN NULL;
END;
$$;
