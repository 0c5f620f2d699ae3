-- Since when each allocator has heard servers without a break. No foreign key: a row outlives its process for a while, and then
-- says that a replica is missing.
CREATE TABLE "allocator_replica" (
    "id" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "hears_since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "allocator_replica_pkey" PRIMARY KEY ("id")
);
