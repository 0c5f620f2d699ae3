-- The slots of a server are the numbers below its count. "session_open_slot" decides who holds one, as before; the rows of "slot"
-- are read and written by the version before alone, and go with their server.
ALTER TABLE "session" DROP CONSTRAINT "session_server_id_slot_ordinal_fkey";

-- Ended sessions are kept for longer than a server that is gone.
ALTER TABLE "session" DROP CONSTRAINT "session_server_id_fkey";

-- The first incarnation of a server that is not known: above those of all that were forgotten, so that a token of one of these is
-- never valid again.
CREATE SEQUENCE "server_incarnation";

-- Servers that may be forgotten.
CREATE INDEX "server_gone" ON "server" ("heartbeat_at") WHERE "state" IN ('lost', 'left');
