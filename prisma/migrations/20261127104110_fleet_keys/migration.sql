-- Keys with which the servers of a fleet register. A key itself is derived from its id and the coordinator's key: nothing secret is
-- stored. Empty lists and absent numbers are no caps.
CREATE TABLE "enrolment_key" (
    "id" TEXT NOT NULL,
    "fleet" TEXT NOT NULL,
    "max_servers" INTEGER,
    "max_slots" INTEGER,
    "regions" TEXT[] NOT NULL DEFAULT '{}',
    "builds" TEXT[] NOT NULL DEFAULT '{}',
    "must_sign" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    -- Whether its servers ended with it.
    "ends_servers" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "enrolment_key_pkey" PRIMARY KEY ("id")
);
CREATE TRIGGER "enrolment_key_noted" AFTER INSERT OR UPDATE OR DELETE ON "enrolment_key" FOR EACH ROW
  WHEN (current_setting('muster.changes', true) <> '') EXECUTE FUNCTION "note_change"();
-- Servers that an operator removed: no service accepts the tokens of these incarnations and of those before.
CREATE TABLE "revoked_server" (
    "server_id" TEXT NOT NULL,
    "incarnation" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "revoked_server_pkey" PRIMARY KEY ("server_id")
);
CREATE INDEX "revoked_server_at_idx" ON "revoked_server" ("at");
ALTER TABLE "server"
  -- The key that registered it; null for the SERVER_KEY of the settings, whose fleet is "default".
  ADD COLUMN "key_id" TEXT,
  ADD COLUMN "fleet" TEXT NOT NULL DEFAULT 'default';
