-- What a queue plays and how it matches, version by version.
CREATE TABLE "queue_rules" (
    "queue" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "rules" JSONB NOT NULL,
    "why" TEXT NOT NULL,
    "applies_to" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    -- Of two that change a queue at once, one gets the number; so versions have no gaps, and appear in their order.
    CONSTRAINT "queue_rules_pkey" PRIMARY KEY ("queue","version")
);
ALTER TABLE "queue_rules" ADD CONSTRAINT "queue_rules_version_positive" CHECK ("version" >= 1);
ALTER TABLE "queue_rules" ADD CONSTRAINT "queue_rules_applies_to_known" CHECK ("applies_to" IN ('new', 'all'));

-- A waiting ticket keeps the rules that it was told, so what a version says may never change.
CREATE FUNCTION "refuse_rules_rewrite"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'versions of rules are kept: put a new one in force instead';
END;
$$;
CREATE TRIGGER "queue_rules_append_only" BEFORE UPDATE OR DELETE ON "queue_rules"
  FOR EACH ROW EXECUTE FUNCTION "refuse_rules_rewrite"();
