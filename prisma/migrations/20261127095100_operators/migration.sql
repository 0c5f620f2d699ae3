-- Keys of operators, hashed. Rows of a key that ended are deleted after a while; the audit log keeps what it did.
CREATE TABLE "operator_key" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "operator_key_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "operator_key_role" CHECK ("role" IN ('viewer', 'support', 'operator', 'admin'))
);
CREATE UNIQUE INDEX "operator_key_hash_key" ON "operator_key" ("hash");
-- Invariant: every change of an operator has a row, written in the transaction of the change where there is one.
CREATE TABLE "audit_entry" (
    "id" BIGSERIAL NOT NULL,
    "request" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    "service" TEXT NOT NULL,
    "who" TEXT NOT NULL,
    "sign_in" TEXT NOT NULL,
    "key_id" TEXT,
    "role" TEXT NOT NULL,
    "call" TEXT NOT NULL,
    "targets" TEXT[] NOT NULL,
    "reason" TEXT,
    "asked" JSONB,
    "before" JSONB,
    "after" JSONB,
    "origin" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);
-- A commit whose answer was lost is not written again.
CREATE UNIQUE INDEX "audit_entry_request_key" ON "audit_entry" ("request");
CREATE INDEX "audit_entry_at_idx" ON "audit_entry" ("at");
CREATE INDEX "audit_entry_who_id_idx" ON "audit_entry" ("who", "id");
CREATE INDEX "audit_entry_call_id_idx" ON "audit_entry" ("call", "id");
CREATE INDEX "audit_entry_targets_idx" ON "audit_entry" USING GIN ("targets");

-- The audit log is append-only, with two exceptions: rows past the least retention, and the erasure of a player by the owner.
CREATE FUNCTION "refuse_audit_rewrite"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND OLD.at < clock_timestamp() - interval '30 days' THEN
    RETURN OLD;
  END IF;
  IF TG_OP = 'UPDATE' AND current_setting('muster.erasure', true) = 'on'
    AND pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE') THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'the audit log is append-only';
END;
$$;
CREATE TRIGGER "audit_entry_append_only" BEFORE UPDATE OR DELETE ON "audit_entry"
  FOR EACH ROW EXECUTE FUNCTION "refuse_audit_rewrite"();

-- No service may delete rows of the log; this function, with the rights of the owner, deletes old ones alone.
CREATE FUNCTION "forget_audit"("older_than" TIMESTAMPTZ, "most" INTEGER) RETURNS INTEGER
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  gone INTEGER;
BEGIN
  DELETE FROM audit_entry WHERE id = ANY(ARRAY(
    SELECT id FROM audit_entry WHERE at < least("older_than", clock_timestamp() - interval '31 days') ORDER BY at LIMIT "most"));
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END;
$$;
-- contract: the function is new.
REVOKE ALL ON FUNCTION "forget_audit"(TIMESTAMPTZ, INTEGER) FROM PUBLIC;
