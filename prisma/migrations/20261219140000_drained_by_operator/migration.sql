-- An operator's drain outlives a restart of the server.
ALTER TABLE "server" ADD COLUMN "drained_by_operator" BOOLEAN NOT NULL DEFAULT false;
