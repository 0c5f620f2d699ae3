ALTER TABLE "server"
  -- The share of a tick's time that a server computes; null for servers that do not report it.
  ADD COLUMN "tick_load" DOUBLE PRECISION,
  -- Whether the server is above a limit of load: it gets no match. It changes rarely, so indexes may select by it.
  ADD COLUMN "overloaded" BOOLEAN NOT NULL DEFAULT false,
  -- Since when the server has been ready or draining without a break. A server that registers again has not come anew.
  ADD COLUMN "arrived_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Since when the server has been heard without a gap longer than the silence limit.
  ADD COLUMN "heard_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- The allocator that recorded the last heartbeat of the server; null when only an older release did.
  ADD COLUMN "heard_by" TEXT,
  -- What a server says of itself: lists of values by name. "kind" is the same for servers with equal labels, and empty without any.
  ADD COLUMN "labels" JSONB NOT NULL DEFAULT '{}',
  ADD COLUMN "kind" TEXT NOT NULL DEFAULT '',
  -- An operator's drain outlives a restart of the server.
  ADD COLUMN "drained_by_operator" BOOLEAN NOT NULL DEFAULT false;
