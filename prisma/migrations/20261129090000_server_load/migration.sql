-- The share of a tick's time that a server computes; null for servers that do not report it.
ALTER TABLE "server" ADD COLUMN "tick_load" DOUBLE PRECISION;
-- Whether the server is above a limit of load: it gets no match. It changes rarely, so indexes may select by it.
ALTER TABLE "server" ADD COLUMN "overloaded" BOOLEAN NOT NULL DEFAULT false;
-- Since when the server has been ready or draining without a break. A server that registers again has not come anew.
ALTER TABLE "server" ADD COLUMN "arrived_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
