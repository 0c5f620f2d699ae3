ALTER TABLE "server"
  -- Why a server is asked after others: 0 it is not, 1 it never confirmed a session, 2 nor did others of its fleet, 3 it never asked for
  -- commands, 4 it left commands unanswered. Servers of before count as proved.
  ADD COLUMN "doubt" SMALLINT NOT NULL DEFAULT 0,
  -- Whether it has confirmed a session, and the commands that it left unanswered since the last one that it did.
  ADD COLUMN "proved" BOOLEAN NOT NULL DEFAULT true,
  ADD COLUMN "misses" SMALLINT NOT NULL DEFAULT 0,
  ADD COLUMN "missed_at" TIMESTAMPTZ(3);
