-- Pauses of queues by operators, and of all queues: one row each, which is deleted when the pause is ended.
CREATE TABLE "pause" (
    -- 'realm', or 'queue:' and its name.
    "scope" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "waiting" TEXT NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3),

    CONSTRAINT "pause_pkey" PRIMARY KEY ("scope"),
    CONSTRAINT "pause_waiting" CHECK ("waiting" IN ('kept', 'returned')),
    CONSTRAINT "pause_ends_later" CHECK ("until" > "starts_at")
);
