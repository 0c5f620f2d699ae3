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
