-- Jobs that were sent a short while ago: they are sent again when Redis has lost memory.
CREATE TABLE "outbox_sent" (
  "owner" TEXT NOT NULL,
  "id" BIGINT NOT NULL,
  "queue" TEXT NOT NULL,
  "job_id" TEXT NOT NULL,
  "payload" JSONB NOT NULL,
  "sent_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "outbox_sent_pkey" PRIMARY KEY ("owner", "id")
);
CREATE INDEX "outbox_sent_at" ON "outbox_sent" ("owner", "sent_at");
