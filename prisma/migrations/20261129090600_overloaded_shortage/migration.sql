-- Tickets may be told that the servers with free slots are overloaded. The version before leaves such a row as it is.
ALTER TABLE "placement" DROP CONSTRAINT "placement_shortage_known";
ALTER TABLE "placement" ADD CONSTRAINT "placement_shortage_known"
  CHECK ("shortage" IN ('none-free', 'overloaded', 'starting', 'failed'));
