-- The last fit of each pool's placement from stats, and who makes the next one. A row per pool with the rule "placement".
CREATE TABLE "placement_fit" (
    "pool" TEXT NOT NULL,
    "generation" INTEGER,
    "rules" JSONB,
    "matches" BIGINT,
    "stats_matches" INTEGER,
    "fit" JSONB,
    "refusal" TEXT,
    "fitted_at" TIMESTAMPTZ(3),
    "holder" TEXT,
    "lease_until" TIMESTAMPTZ(3),

    CONSTRAINT "placement_fit_pkey" PRIMARY KEY ("pool")
);

-- The length of each pool's history when its rules were last tuned on it.
CREATE TABLE "pool_tuning" (
    "pool" TEXT NOT NULL,
    "matches" BIGINT NOT NULL,
    "tuned_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "pool_tuning_pkey" PRIMARY KEY ("pool")
);
