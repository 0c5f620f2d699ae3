-- A signal may raise the uncertainty of a rating: an event of the ledger.
-- contract: the release before knows the constraint by no name; the wider one takes its place in this transaction.
ALTER TABLE "rating_event" DROP CONSTRAINT "rating_event_kind_known";
-- compatible: it allows all that the one before allowed. Pools whose rules let signals change ratings are of this release.
ALTER TABLE "rating_event" ADD CONSTRAINT "rating_event_kind_known"
  CHECK ("kind" IN ('match', 'void', 'set', 'reset', 'season', 'decay', 'seed', 'signal')) NOT VALID;
