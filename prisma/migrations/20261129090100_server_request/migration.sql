-- Servers that were requested and may still come: their slots are on their way until "until", less those of servers that came.
CREATE TABLE "server_request" (
    "build" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "asked_at" TIMESTAMPTZ(3) NOT NULL,
    "regions" TEXT[],
    "slots" INTEGER NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "server_request_pkey" PRIMARY KEY ("build", "key", "asked_at")
);
