-- Who its server blamed for how a match went: [{"playerId", "kind", "at"}]. The news that frees the players of the match carries
-- it, so that nobody is free before their penalty is written.
ALTER TABLE "match" ADD COLUMN "blame" JSONB;
