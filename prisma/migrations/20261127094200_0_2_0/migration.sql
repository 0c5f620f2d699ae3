-- Jobs that were sent a short while ago: they are sent again when Redis has lost memory.
CREATE TABLE "outbox_sent" (
  "owner" TEXT NOT NULL,
  "id" BIGINT NOT NULL,
  "queue" TEXT NOT NULL,
  "job_id" TEXT NOT NULL,
  "payload" JSONB NOT NULL,
  "sent_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "outbox_sent_pkey" PRIMARY KEY ("owner", "id")
);
CREATE INDEX "outbox_sent_at" ON "outbox_sent" ("owner", "sent_at");

-- Servers that were requested and may still come: their slots are on their way until "until", less those of servers that came.
CREATE TABLE "server_request" (
    "build" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "asked_at" TIMESTAMPTZ(3) NOT NULL,
    "regions" TEXT[],
    "slots" INTEGER NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    -- The labels that the requested servers must have.
    "labels" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "server_request_pkey" PRIMARY KEY ("build", "key", "asked_at")
);

-- A server that a provider is asked for. The row is written before the request is sent, and every request about it
-- carries its id, so that a repeat asks for no second server.
CREATE TABLE "allocation" (
  "id" TEXT NOT NULL,
  "provider" TEXT NOT NULL,
  "build" TEXT NOT NULL,
  "region" TEXT,
  -- The regions of the waiting matches, in the order of their names, with commas; the key of "scale_out".
  "need" TEXT NOT NULL,
  "reason" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  -- Requests since the state changed to this one or to "asked"; a reply names the attempt that it answers.
  "attempts" INTEGER NOT NULL DEFAULT 0,
  "next_at" TIMESTAMPTZ(3),
  -- Until when the provider wants no request.
  "paused_until" TIMESTAMPTZ(3),
  "give_up_at" TIMESTAMPTZ(3) NOT NULL,
  "asked_at" TIMESTAMPTZ(3) NOT NULL,
  "allocated_at" TIMESTAMPTZ(3),
  "claimed_at" TIMESTAMPTZ(3),
  "closed_at" TIMESTAMPTZ(3),
  "server_id" TEXT,
  "host" TEXT,
  "port" INTEGER,
  "last_error" TEXT,
  CONSTRAINT "allocation_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "allocation_state" CHECK ("state" IN ('asked', 'pending', 'allocated', 'claimed', 'releasing', 'released', 'failed')),
  -- What is not over has a next step or a server; what is over has neither.
  CONSTRAINT "allocation_steps" CHECK (("next_at" IS NOT NULL) = ("state" IN ('asked', 'pending', 'allocated', 'releasing'))),
  CONSTRAINT "allocation_closed" CHECK (("closed_at" IS NOT NULL) = ("state" IN ('released', 'failed'))),
  CONSTRAINT "allocation_claimed" CHECK ("state" <> 'claimed' OR "server_id" IS NOT NULL)
);

-- A server is of one allocation.
CREATE UNIQUE INDEX "allocation_server" ON "allocation" ("server_id") WHERE "state" IN ('allocated', 'claimed');
CREATE INDEX "allocation_due" ON "allocation" ("provider", "next_at") WHERE "next_at" IS NOT NULL;
CREATE INDEX "allocation_awaited" ON "allocation" ("provider", "build", "need") WHERE "state" IN ('asked', 'pending', 'allocated');
CREATE INDEX "allocation_over" ON "allocation" ("closed_at") WHERE "closed_at" IS NOT NULL;
-- What a provider refused of a need: what it refused a moment ago is asked for elsewhere.
CREATE INDEX "allocation_refused" ON "allocation" ("provider", "build", "need", "closed_at") WHERE "state" = 'failed';

-- Seasons of a pool, and the last standings of their players.
CREATE TABLE "season" (
    "pool" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "rules" JSONB NOT NULL,
    "by" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "starts_at" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "generation" INTEGER,
    "version" INTEGER,
    "read_through" TEXT,
    "ranked" INTEGER NOT NULL DEFAULT 0,
    "last_mu" DOUBLE PRECISION,
    "last_rank" INTEGER,
    "archived_at" TIMESTAMPTZ(3),

    CONSTRAINT "season_pkey" PRIMARY KEY ("pool","number")
);

CREATE TABLE "season_standing" (
    "pool" TEXT NOT NULL,
    "season" INTEGER NOT NULL,
    "player_id" TEXT NOT NULL,
    "mu" DOUBLE PRECISION NOT NULL,
    "sigma" DOUBLE PRECISION NOT NULL,
    "display" DOUBLE PRECISION NOT NULL,
    "matches" INTEGER NOT NULL,
    "division" TEXT NOT NULL,
    "hidden" BOOLEAN NOT NULL,
    "rank" INTEGER,
    -- Whether the player had not played for too long at the end of the season: such a player has no rank.
    "away" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "season_standing_pkey" PRIMARY KEY ("pool","season","player_id")
);

CREATE INDEX "season_standing_rank" ON "season_standing"("pool", "season", "rank", "player_id");

-- Shrinks to nothing as ranks are given.
CREATE INDEX "season_standing_unranked" ON "season_standing"("pool", "season", "mu" DESC, "player_id") WHERE "rank" IS NULL AND NOT "hidden";

-- The seasons with something to do: announced, or ended and not archived. Few.
CREATE INDEX "season_due" ON "season"("pool", "number") WHERE "archived_at" IS NULL;

-- Erased players by their pseudonym, and legal holds. Only the command of an operator with the database's owner writes them, so
-- no service has a grant.
CREATE TABLE "erasure" (
    "alias" TEXT NOT NULL,
    "by" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "erased_at" TIMESTAMPTZ(3) NOT NULL,
    "rows" JSONB NOT NULL,

    CONSTRAINT "erasure_pkey" PRIMARY KEY ("alias")
);

CREATE TABLE "legal_hold" (
    "player_id" TEXT NOT NULL,
    "by" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "legal_hold_pkey" PRIMARY KEY ("player_id")
);

-- The ledger is append-only, with two exceptions: a generation that never came into force, and the erasure of a player, which
-- puts a pseudonym in the place of an id. Only the owner of the table may say that it erases; services take other roles.
-- compatible: the release before never sets muster.erasure, so everything that it may do stays as it was.
CREATE OR REPLACE FUNCTION "refuse_ledger_rewrite"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'rating_change' THEN
    IF OLD.generation > (SELECT generation FROM rating_pool WHERE name = OLD.pool) THEN
      RETURN OLD;
    END IF;
  END IF;
  IF TG_OP = 'UPDATE' AND current_setting('muster.erasure', true) = 'on'
    AND pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE') THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'the ledger is append-only: write a correcting row instead';
END;
$$;

-- The last display name of each player. The ledger has ids alone.
CREATE TABLE "player_name" (
    "player_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "player_name_pkey" PRIMARY KEY ("player_id")
);
-- Names that were not seen for long are deleted, oldest first.
CREATE INDEX "player_name_seen_at_idx" ON "player_name" ("seen_at");

-- Signals of integrity: how far each pool's ledger was followed, what is remembered of players and servers, and the cases that
-- operators decide.
CREATE TABLE "integrity_cursor" (
    "pool" TEXT NOT NULL,
    "generation" INTEGER NOT NULL,
    "through" BIGINT NOT NULL,
    "mark" BIGINT NOT NULL,
    "mark_xid" BIGINT NOT NULL,

    CONSTRAINT "integrity_cursor_pkey" PRIMARY KEY ("pool")
);

CREATE TABLE "integrity_watch" (
    "pool" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "generation" INTEGER NOT NULL,
    "state" JSONB NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "integrity_watch_pkey" PRIMARY KEY ("pool","kind","subject")
);
ALTER TABLE "integrity_watch" ADD CONSTRAINT "integrity_watch_kind_known" CHECK ("kind" IN ('player', 'server'));
CREATE INDEX "integrity_watch_seen_at" ON "integrity_watch"("seen_at");

CREATE TABLE "integrity_case" (
    "id" TEXT NOT NULL,
    "pool" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "players" TEXT[] NOT NULL,
    "server" TEXT,
    "state" TEXT NOT NULL,
    "evidence" DOUBLE PRECISION NOT NULL,
    "by_chance" DOUBLE PRECISION NOT NULL,
    "matches" INTEGER NOT NULL,
    "match_id" TEXT NOT NULL,
    "sequence" BIGINT NOT NULL,
    "pro" JSONB NOT NULL,
    "contra" JSONB NOT NULL,
    "generation" INTEGER NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "raise" TEXT NOT NULL,
    "raised_at" TIMESTAMPTZ(3),
    "verdict" TEXT,
    "note" TEXT,
    "closed_by" TEXT,
    "closed_at" TIMESTAMPTZ(3),
    "closed_through" BIGINT,

    CONSTRAINT "integrity_case_pkey" PRIMARY KEY ("id")
);
ALTER TABLE "integrity_case" ADD CONSTRAINT "integrity_case_kind_known" CHECK ("kind" IN ('newcomer', 'thrown', 'collusion', 'server', 'alternate'));
ALTER TABLE "integrity_case" ADD CONSTRAINT "integrity_case_state_known" CHECK ("state" IN ('open', 'closed'));
ALTER TABLE "integrity_case" ADD CONSTRAINT "integrity_case_raise_known" CHECK ("raise" IN ('none', 'due', 'done'));
ALTER TABLE "integrity_case" ADD CONSTRAINT "integrity_case_verdict_known" CHECK ("verdict" IN ('confirmed', 'cleared', 'unclear'));

-- A subject has one open case of a kind.
CREATE UNIQUE INDEX "integrity_case_open" ON "integrity_case"("pool", "kind", "subject") WHERE "state" = 'open';
-- Cases that have not raised their players' uncertainty yet. Shrinks to nothing.
CREATE INDEX "integrity_case_due" ON "integrity_case"("opened_at") WHERE "raise" = 'due';
-- What was judged: a ledger that is followed again skips it.
CREATE INDEX "integrity_case_judged" ON "integrity_case"("pool", "closed_through") WHERE "state" = 'closed';
CREATE INDEX "integrity_case_listed" ON "integrity_case"("state", "opened_at", "id");
CREATE INDEX "integrity_case_of_pool" ON "integrity_case"("pool", "state", "opened_at", "id");
CREATE INDEX "integrity_case_closed_at" ON "integrity_case"("closed_at") WHERE "state" = 'closed';
CREATE INDEX "integrity_case_players" ON "integrity_case" USING GIN ("players");

-- Boosters: a limited number of matches of a player in another division. A match counts one where it is rated, and a void match
-- gives it back, so the count is that of the ledger.
CREATE TABLE "booster" (
    "id" TEXT NOT NULL,
    "pool" TEXT NOT NULL,
    "player_id" TEXT NOT NULL,
    "division" TEXT NOT NULL,
    "matches" INTEGER NOT NULL,
    "used" INTEGER NOT NULL DEFAULT 0,
    "k_factor" DOUBLE PRECISION NOT NULL,
    "by" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "granted_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_by" TEXT,
    "revoked_reason" TEXT,

    CONSTRAINT "booster_pkey" PRIMARY KEY ("id"),
    -- A booster never counts for more matches than it has, and none is given back twice.
    CONSTRAINT "booster_used" CHECK ("used" BETWEEN 0 AND "matches")
);

CREATE INDEX "booster_of_player" ON "booster"("pool", "player_id", "granted_at");

-- The last fit of each pool's placement from stats, and who makes the next one. A row per pool with the rule "placement".
CREATE TABLE "placement_fit" (
    "pool" TEXT NOT NULL,
    "generation" INTEGER,
    "rules" JSONB,
    "matches" BIGINT,
    "stats_matches" INTEGER,
    "fit" JSONB,
    "refusal" TEXT,
    "fitted_at" TIMESTAMPTZ(3),
    "holder" TEXT,
    "lease_until" TIMESTAMPTZ(3),

    CONSTRAINT "placement_fit_pkey" PRIMARY KEY ("pool")
);

-- The length of each pool's history when its rules were last tuned on it.
CREATE TABLE "pool_tuning" (
    "pool" TEXT NOT NULL,
    "matches" BIGINT NOT NULL,
    "tuned_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "pool_tuning_pkey" PRIMARY KEY ("pool")
);

-- What players ask for about their own data. A command of the operator carries it out, as the owner of the tables. The key says
-- that a player has one request of a kind: asking again changes nothing.
CREATE TABLE "player_request" (
    "player_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "done_at" TIMESTAMPTZ(3),

    CONSTRAINT "player_request_pkey" PRIMARY KEY ("player_id", "kind"),
    CONSTRAINT "player_request_kind" CHECK ("kind" IN ('export', 'erasure'))
);

-- Requests that wait, oldest first, and those that are done, for retention.
CREATE INDEX "player_request_waiting" ON "player_request" ("requested_at") WHERE "done_at" IS NULL;
CREATE INDEX "player_request_done" ON "player_request" ("done_at") WHERE "done_at" IS NOT NULL;

-- What the games tell of players' devices, settings and networks: a keyed hash of the last code of each kind. Only pools that watch
-- have rows. The key says that a player has one code of a kind.
CREATE TABLE "player_habit" (
    "pool" TEXT NOT NULL,
    "player_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "player_habit_pkey" PRIMARY KEY ("pool", "player_id", "kind")
);

-- Who has the same code, and how many report a kind.
CREATE INDEX "player_habit_code" ON "player_habit" ("pool", "kind", "code");
CREATE INDEX "player_habit_seen_at" ON "player_habit" ("seen_at");
