-- CreateTable
CREATE TABLE "match" (
    "id" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "external_id" TEXT,
    "digest" TEXT,
    "pool" TEXT NOT NULL,
    "queue" TEXT,
    "build" TEXT,
    "state" TEXT NOT NULL,
    "regions" TEXT[],
    "rules" JSONB,
    "split" JSONB,
    "why" TEXT[],
    "prediction" DOUBLE PRECISION[],
    "ranks" INTEGER[],
    "session_id" TEXT,
    "server_id" TEXT,
    "region" TEXT,
    "proposed_at" TIMESTAMPTZ(3),
    "formed_at" TIMESTAMPTZ(3),
    "placed_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "closed_at" TIMESTAMPTZ(3),
    "close_reason" TEXT,

    CONSTRAINT "match_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "proposal_verdict" (
    "match_id" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "reason" TEXT,
    "failed_ticket_ids" TEXT[],
    "decided_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "proposal_verdict_pkey" PRIMARY KEY ("match_id")
);

-- CreateTable
CREATE TABLE "match_player" (
    "match_id" TEXT NOT NULL,
    "player_id" TEXT NOT NULL,
    "team" INTEGER NOT NULL,
    "ticket_id" TEXT,
    "mu" DOUBLE PRECISION NOT NULL,
    "sigma" DOUBLE PRECISION NOT NULL,
    "waited_ms" INTEGER,

    CONSTRAINT "match_player_pkey" PRIMARY KEY ("match_id","player_id")
);

-- CreateTable
CREATE TABLE "live_player" (
    "player_id" TEXT NOT NULL,
    "match_id" TEXT NOT NULL,

    CONSTRAINT "live_player_pkey" PRIMARY KEY ("player_id")
);

-- CreateTable
CREATE TABLE "server" (
    "id" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "build" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "port" INTEGER NOT NULL,
    "slots" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "incarnation" INTEGER NOT NULL DEFAULT 1,
    "cpu_load" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "command_seq" INTEGER NOT NULL DEFAULT 0,
    "heartbeat_at" TIMESTAMPTZ(3) NOT NULL,
    "registered_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "server_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "slot" (
    "server_id" TEXT NOT NULL,
    "ordinal" INTEGER NOT NULL,

    CONSTRAINT "slot_pkey" PRIMARY KEY ("server_id","ordinal")
);

-- CreateTable
CREATE TABLE "session" (
    "id" TEXT NOT NULL,
    "match_id" TEXT NOT NULL,
    "server_id" TEXT NOT NULL,
    "slot_ordinal" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "incarnation" INTEGER NOT NULL,
    "host" TEXT,
    "port" INTEGER,
    "reason" TEXT,
    "reserved_at" TIMESTAMPTZ(3) NOT NULL,
    "answer_by" TIMESTAMPTZ(3) NOT NULL,
    "live_at" TIMESTAMPTZ(3),
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "placement" (
    "match_id" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "give_up_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "placement_pkey" PRIMARY KEY ("match_id")
);

-- CreateTable
CREATE TABLE "command" (
    "server_id" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "session_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "state" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "command_pkey" PRIMARY KEY ("server_id","seq")
);

-- CreateTable
CREATE TABLE "result" (
    "session_id" TEXT NOT NULL,
    "match_id" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "body" JSONB NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "result_pkey" PRIMARY KEY ("session_id")
);

-- CreateTable
CREATE TABLE "result_conflict" (
    "id" SERIAL NOT NULL,
    "match_id" TEXT NOT NULL,
    "reported_by" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "body" JSONB NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "result_conflict_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rating_pool" (
    "name" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "parameters" JSONB NOT NULL,
    "parameters_version" INTEGER NOT NULL DEFAULT 1,
    "generation" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "rating_pool_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "rating" (
    "pool" TEXT NOT NULL,
    "generation" INTEGER NOT NULL,
    "player_id" TEXT NOT NULL,
    "state" JSONB NOT NULL,
    "matches" INTEGER NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rating_pkey" PRIMARY KEY ("pool","generation","player_id")
);

-- CreateTable
CREATE TABLE "rating_change" (
    "pool" TEXT NOT NULL,
    "generation" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "player_id" TEXT NOT NULL,
    "sequence" BIGINT NOT NULL,
    "before" JSONB NOT NULL,
    "after" JSONB NOT NULL,
    "parameters_version" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rating_change_pkey" PRIMARY KEY ("pool","generation","kind","event_id","player_id")
);

-- CreateTable
CREATE TABLE "outbox" (
    "id" BIGSERIAL NOT NULL,
    "owner" TEXT NOT NULL,
    "queue" TEXT NOT NULL,
    "job_id" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "match_state_formed_at_idx" ON "match"("state", "formed_at");

-- CreateIndex
CREATE INDEX "match_formed_at_id_idx" ON "match"("formed_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "match_pool_external_id_key" ON "match"("pool", "external_id");

-- CreateIndex
CREATE INDEX "match_player_player_id_match_id_idx" ON "match_player"("player_id", "match_id");

-- CreateIndex
CREATE INDEX "live_player_match_id_idx" ON "live_player"("match_id");

-- CreateIndex
CREATE INDEX "session_match_id_idx" ON "session"("match_id");

-- CreateIndex
CREATE INDEX "session_server_id_state_idx" ON "session"("server_id", "state");

-- CreateIndex
CREATE INDEX "placement_next_attempt_at_idx" ON "placement"("next_attempt_at");

-- CreateIndex
CREATE INDEX "command_session_id_idx" ON "command"("session_id");

-- CreateIndex
CREATE UNIQUE INDEX "result_match_id_key" ON "result"("match_id");

-- CreateIndex
CREATE UNIQUE INDEX "result_conflict_match_id_digest_key" ON "result_conflict"("match_id", "digest");

-- CreateIndex
CREATE INDEX "rating_change_pool_generation_sequence_idx" ON "rating_change"("pool", "generation", "sequence");

-- CreateIndex
CREATE INDEX "rating_change_event_id_idx" ON "rating_change"("event_id");

-- CreateIndex
CREATE INDEX "outbox_owner_id_idx" ON "outbox"("owner", "id");

-- AddForeignKey
ALTER TABLE "match_player" ADD CONSTRAINT "match_player_match_id_fkey" FOREIGN KEY ("match_id") REFERENCES "match"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "live_player" ADD CONSTRAINT "live_player_match_id_fkey" FOREIGN KEY ("match_id") REFERENCES "match"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "slot" ADD CONSTRAINT "slot_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "server"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_match_id_fkey" FOREIGN KEY ("match_id") REFERENCES "match"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "server"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_server_id_slot_ordinal_fkey" FOREIGN KEY ("server_id", "slot_ordinal") REFERENCES "slot"("server_id", "ordinal") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "placement" ADD CONSTRAINT "placement_match_id_fkey" FOREIGN KEY ("match_id") REFERENCES "match"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "command" ADD CONSTRAINT "command_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "server"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "result" ADD CONSTRAINT "result_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "session"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What the schema language cannot say, and what decides all the same.

ALTER TABLE "match"
  ADD CONSTRAINT "match_state_known" CHECK ("state" IN ('formed', 'placed', 'ended', 'rated', 'abandoned', 'void')),
  ADD CONSTRAINT "match_origin_known" CHECK ("origin" IN ('queue', 'reported'));
ALTER TABLE "proposal_verdict"
  ADD CONSTRAINT "proposal_verdict_outcome_known" CHECK ("outcome" IN ('formed', 'refused'));
ALTER TABLE "server"
  ADD CONSTRAINT "server_state_known" CHECK ("state" IN ('ready', 'draining', 'lost', 'left')),
  ADD CONSTRAINT "server_slots_sane" CHECK ("slots" BETWEEN 0 AND 10000);
ALTER TABLE "session"
  ADD CONSTRAINT "session_state_known" CHECK ("state" IN ('reserved', 'live', 'ended', 'refused', 'unanswered', 'lost'));
ALTER TABLE "command"
  ADD CONSTRAINT "command_state_known" CHECK ("state" IN ('pending', 'done', 'refused', 'withdrawn'));

-- A slot holds one open session; a match has one open session. These two rows are why nothing is over-committed.
CREATE UNIQUE INDEX "session_open_slot" ON "session" ("server_id", "slot_ordinal") WHERE "state" IN ('reserved', 'live');
CREATE UNIQUE INDEX "session_open_match" ON "session" ("match_id") WHERE "state" IN ('reserved', 'live');
CREATE INDEX "session_answer_due" ON "session" ("answer_by") WHERE "state" = 'reserved';
CREATE INDEX "command_pending" ON "command" ("server_id", "seq") WHERE "state" = 'pending';
CREATE INDEX "match_open" ON "match" ("state", "formed_at") WHERE "state" IN ('formed', 'placed', 'ended');

-- Order of the ledger. Drawn after the players' rows are locked, so two events that share a player are in the order they took effect.
CREATE SEQUENCE "ledger_sequence";

-- The ledger is append-only.
CREATE FUNCTION "refuse_ledger_rewrite"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is append-only: write a correcting row instead';
END;
$$;
CREATE TRIGGER "rating_change_append_only" BEFORE UPDATE OR DELETE ON "rating_change"
  FOR EACH ROW EXECUTE FUNCTION "refuse_ledger_rewrite"();
