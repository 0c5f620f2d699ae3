-- A running match whose teams are kept fair: its roster as its server tells it, and what is known between two looks.
CREATE TABLE "live_balance" (
    "match_id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "server_id" TEXT NOT NULL,
    "policy" JSONB NOT NULL,
    "roster" JSONB NOT NULL,
    "state" JSONB NOT NULL,
    "last_seq" INTEGER NOT NULL DEFAULT 0,
    "orders" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),

    CONSTRAINT "live_balance_pkey" PRIMARY KEY ("match_id"),
    CONSTRAINT "live_balance_match_id_fkey" FOREIGN KEY ("match_id") REFERENCES "match"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "live_balance_session_id_key" ON "live_balance" ("session_id");
CREATE INDEX "live_balance_due" ON "live_balance" ("due_at") WHERE "due_at" IS NOT NULL;

-- Moves that servers were told to make, kept with the match.
CREATE TABLE "balance_order" (
    "match_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "ordered_at" TIMESTAMPTZ(3) NOT NULL,
    "body" JSONB NOT NULL,

    CONSTRAINT "balance_order_pkey" PRIMARY KEY ("match_id", "number"),
    CONSTRAINT "balance_order_match_id_fkey" FOREIGN KEY ("match_id") REFERENCES "match"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
