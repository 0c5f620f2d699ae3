-- A row lock needs UPDATE on one column. Roles that lock rows of a table without changing them get it on the key, and no
-- statement may set that column. A trigger for each statement costs nothing where the column is not set.
CREATE FUNCTION "refuse_key_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the key of % does not change', TG_TABLE_NAME;
END;
$$;
CREATE TRIGGER "outbox_key" BEFORE UPDATE OF "id" ON "outbox"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_key_change"();
CREATE TRIGGER "proposal_verdict_key" BEFORE UPDATE OF "match_id" ON "proposal_verdict"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_key_change"();
CREATE TRIGGER "session_key" BEFORE UPDATE OF "id" ON "session"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_key_change"();
