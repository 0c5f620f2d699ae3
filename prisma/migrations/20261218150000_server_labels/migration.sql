-- What a server says of itself: lists of values by name. "kind" is the same for servers with equal labels, and empty without any.
ALTER TABLE "server" ADD COLUMN "labels" JSONB NOT NULL DEFAULT '{}';
ALTER TABLE "server" ADD COLUMN "kind" TEXT NOT NULL DEFAULT '';
-- The labels that the servers of a request must have.
ALTER TABLE "server_request" ADD COLUMN "labels" JSONB NOT NULL DEFAULT '{}';
