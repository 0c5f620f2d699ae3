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
ALTER TABLE "integrity_case" ADD CONSTRAINT "integrity_case_kind_known" CHECK ("kind" IN ('newcomer', 'thrown', 'collusion', 'server'));
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
