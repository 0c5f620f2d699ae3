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
