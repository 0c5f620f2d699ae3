-- Erased players by their pseudonym, and legal holds. Only the command of an operator with the database's owner writes them, so
-- no service has a grant.
CREATE TABLE "erasure" (
    "alias" TEXT NOT NULL,
    "by" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "erased_at" TIMESTAMPTZ(3) NOT NULL,
    "rows" JSONB NOT NULL,

    CONSTRAINT "erasure_pkey" PRIMARY KEY ("alias")
);

CREATE TABLE "legal_hold" (
    "player_id" TEXT NOT NULL,
    "by" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "legal_hold_pkey" PRIMARY KEY ("player_id")
);

-- The ledger is append-only, with two exceptions: a generation that never came into force, and the erasure of a player, which
-- puts a pseudonym in the place of an id. Only the owner of the table may say that it erases; services take other roles.
-- compatible: the release before never sets muster.erasure, so everything that it may do stays as it was.
CREATE OR REPLACE FUNCTION "refuse_ledger_rewrite"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'rating_change' THEN
    IF OLD.generation > (SELECT generation FROM rating_pool WHERE name = OLD.pool) THEN
      RETURN OLD;
    END IF;
  END IF;
  IF TG_OP = 'UPDATE' AND current_setting('muster.erasure', true) = 'on'
    AND pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE') THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'the ledger is append-only: write a correcting row instead';
END;
$$;
