-- Servers whose "used_slots" is to be counted again, because a session of theirs closed. A transaction that closes a session only
-- adds a row: an update of the server would wait for transactions that hold the server and want the session.
CREATE TABLE "freed_slot" (
    "id" BIGSERIAL NOT NULL,
    "server_id" TEXT NOT NULL,

    CONSTRAINT "freed_slot_pkey" PRIMARY KEY ("id")
);

-- As for other tables of which a role locks rows: the key does not change.
CREATE TRIGGER "freed_slot_key" BEFORE UPDATE OF "id" ON "freed_slot"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_key_change"();
