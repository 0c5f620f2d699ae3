-- What a match is played on, which places bots take, and who fills which role: made by assignment, told to the server.
ALTER TABLE "match" ADD COLUMN "map" TEXT;
ALTER TABLE "match" ADD COLUMN "bots" INTEGER[] DEFAULT ARRAY[]::INTEGER[];
ALTER TABLE "match_player" ADD COLUMN "role" TEXT;

-- What the tickets of a match that found no free server were told last; null while it waits for none.
ALTER TABLE "placement" ADD COLUMN "shortage" TEXT;
ALTER TABLE "placement" ADD CONSTRAINT "placement_shortage_known"
  CHECK ("shortage" IN ('none-free', 'starting', 'failed'));

-- Who asked for more servers, and what came of it. The row decides among replicas: one of them asks, for a while.
CREATE TABLE "scale_out" (
    "build" TEXT NOT NULL,
    "regions" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "asked_at" TIMESTAMPTZ(3) NOT NULL,
    "ask_again_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "scale_out_pkey" PRIMARY KEY ("build","regions")
);
ALTER TABLE "scale_out" ADD CONSTRAINT "scale_out_outcome_known" CHECK ("outcome" IN ('asking', 'starting', 'failed'));
