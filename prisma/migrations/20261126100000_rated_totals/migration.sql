-- Totals over the rated matches of a generation up to a sequence. The rating service advances them in batches, so existing
-- matches are added while it runs and nothing is scanned here.
CREATE TABLE "rated_total" (
    "pool" TEXT NOT NULL,
    "generation" INTEGER NOT NULL,
    "through" BIGINT NOT NULL,
    "matches" BIGINT NOT NULL DEFAULT 0,
    "drift" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "newcomers" BIGINT NOT NULL DEFAULT 0,
    "converged" BIGINT NOT NULL DEFAULT 0,
    "version" INTEGER NOT NULL DEFAULT 0,
    "under_version" BIGINT NOT NULL DEFAULT 0,
    "mark" BIGINT NOT NULL,
    "mark_xid" BIGINT NOT NULL,

    CONSTRAINT "rated_total_pkey" PRIMARY KEY ("pool","generation")
);
