-- The regions of which the tickets were last told that they have no free server; null: a release before told them.
ALTER TABLE "placement" ADD COLUMN "open_regions" TEXT[], ADD COLUMN "anywhere" BOOLEAN;
-- Tickets may be told that the servers with free slots are overloaded, and that none fits their match.
-- contract: the release before knows the constraint by no name; the wider one takes its place in this transaction.
ALTER TABLE "placement" DROP CONSTRAINT "placement_shortage_known";
-- compatible: it allows all that the one before allowed, and the release before leaves such a row as it is.
ALTER TABLE "placement" ADD CONSTRAINT "placement_shortage_known"
  CHECK ("shortage" IN ('none-free', 'overloaded', 'unfit', 'starting', 'failed')) NOT VALID;
