-- Verdicts are forgotten some time after they were given, the oldest first.
CREATE INDEX CONCURRENTLY "proposal_verdict_decided_at_idx" ON "proposal_verdict" ("decided_at");
