-- What an operator decided about the results of a match that contradict each other; null: nothing yet.
ALTER TABLE "result_conflict" ADD COLUMN "decision" TEXT, ADD COLUMN "decided_at" TIMESTAMPTZ(3), ADD COLUMN "decided_by" TEXT,
  ADD COLUMN "decided_why" TEXT;
