-- A case may be about an alternate account.
-- contract: the release before knows the constraint by no name; the wider one takes its place in this transaction.
ALTER TABLE "integrity_case" DROP CONSTRAINT "integrity_case_kind_known";
-- compatible: it allows all that the one before allowed.
ALTER TABLE "integrity_case" ADD CONSTRAINT "integrity_case_kind_known"
  CHECK ("kind" IN ('newcomer', 'thrown', 'collusion', 'server', 'alternate')) NOT VALID;
