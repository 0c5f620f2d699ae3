-- Codes that sign in once, hashed. A row is deleted when its code is used, or soon after it has expired.
CREATE TABLE "sign_in_code" (
    "hash" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "made_with" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_code_pkey" PRIMARY KEY ("hash"),
    CONSTRAINT "sign_in_code_role" CHECK ("role" IN ('viewer', 'support', 'operator', 'admin'))
);
CREATE TRIGGER "sign_in_code_noted" AFTER INSERT OR DELETE ON "sign_in_code" FOR EACH ROW
  WHEN (current_setting('muster.changes', true) <> '') EXECUTE FUNCTION "note_change"('hash');
-- A key that a code was exchanged for names the key, or the kind of credential, with which the code was made.
ALTER TABLE "operator_key" ADD COLUMN "made_with" TEXT;
