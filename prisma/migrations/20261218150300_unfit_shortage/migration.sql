-- Tickets may be told that no server fits their match.
-- contract: the release before knows the constraint by no name; the wider one takes its place in this transaction.
ALTER TABLE "placement" DROP CONSTRAINT "placement_shortage_known";
-- compatible: it allows all that the one before allowed, and the release before leaves such a row as it is.
ALTER TABLE "placement" ADD CONSTRAINT "placement_shortage_known"
  CHECK ("shortage" IN ('none-free', 'overloaded', 'unfit', 'starting', 'failed')) NOT VALID;
