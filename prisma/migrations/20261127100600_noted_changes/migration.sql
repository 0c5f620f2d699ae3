-- Notes for the audit log what a transaction changes in a row: the key and the values that differ, without long documents. It runs
-- only where the transaction of an operator's call asks for it by muster.changes. The arguments are columns that are left out:
-- secrets, and what names a player in a form that an erasure does not find.
CREATE FUNCTION "note_change"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  noted JSONB := current_setting('muster.changes')::jsonb;
  rows JSONB[] := ARRAY[to_jsonb(OLD), to_jsonb(NEW)];
  keys TEXT[];
  told JSONB;
BEGIN
  -- Of a change of many rows the first ones tell enough, and what is noted stays small.
  IF jsonb_array_length(noted -> 'before') + jsonb_array_length(noted -> 'after') >= 40 THEN
    RETURN NULL;
  END IF;
  keys := ARRAY(SELECT attname FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY(indkey)
    WHERE indrelid = TG_RELID AND indisprimary);
  FOR i IN 1..2 LOOP
    CONTINUE WHEN rows[i] IS NULL;
    SELECT jsonb_object_agg(key, CASE jsonb_typeof(value) WHEN 'string' THEN to_jsonb(left(value #>> '{}', 300)) ELSE value END)
      INTO told FROM jsonb_each(rows[i])
      WHERE key <> ALL(coalesce(TG_ARGV[0:], '{}')) AND (jsonb_typeof(value) = 'string' OR length(value::text) <= 300)
        AND CASE WHEN TG_OP = 'UPDATE' THEN key = ANY(keys) OR value IS DISTINCT FROM rows[3 - i] -> key ELSE value <> 'null' END;
    noted := jsonb_set(noted, ARRAY[(ARRAY['before', 'after'])[i]],
      noted -> (ARRAY['before', 'after'])[i] || (jsonb_build_object('table', TG_TABLE_NAME) || told));
  END LOOP;
  PERFORM set_config('muster.changes', noted::text, true);
  RETURN NULL;
END;
$$;
CREATE TRIGGER "operator_key_noted" AFTER INSERT OR UPDATE OR DELETE ON "operator_key" FOR EACH ROW
  WHEN (current_setting('muster.changes', true) <> '') EXECUTE FUNCTION "note_change"('hash');
-- compatible: without muster.changes, which the release before does not set, it does nothing.
CREATE TRIGGER "match_noted" AFTER INSERT OR UPDATE OF "state" ON "match" FOR EACH ROW
  WHEN (current_setting('muster.changes', true) <> '') EXECUTE FUNCTION "note_change"();
-- compatible: without muster.changes, which the release before does not set, it does nothing.
CREATE TRIGGER "server_noted" AFTER UPDATE OF "state", "drained_by_operator" ON "server" FOR EACH ROW
  WHEN (current_setting('muster.changes', true) <> '') EXECUTE FUNCTION "note_change"();
-- compatible: without muster.changes, which the release before does not set, it does nothing.
CREATE TRIGGER "result_conflict_noted" AFTER UPDATE ON "result_conflict" FOR EACH ROW
  WHEN (current_setting('muster.changes', true) <> '') EXECUTE FUNCTION "note_change"();
-- compatible: without muster.changes, which the release before does not set, it does nothing.
CREATE TRIGGER "penalty_noted" AFTER INSERT OR UPDATE OR DELETE ON "penalty" FOR EACH ROW
  WHEN (current_setting('muster.changes', true) <> '') EXECUTE FUNCTION "note_change"();
-- compatible: without muster.changes, which the release before does not set, it does nothing.
CREATE TRIGGER "queue_rules_noted" AFTER INSERT ON "queue_rules" FOR EACH ROW
  WHEN (current_setting('muster.changes', true) <> '') EXECUTE FUNCTION "note_change"();
-- compatible: without muster.changes, which the release before does not set, it does nothing.
CREATE TRIGGER "rating_pool_noted" AFTER INSERT OR UPDATE ON "rating_pool" FOR EACH ROW
  WHEN (current_setting('muster.changes', true) <> '') EXECUTE FUNCTION "note_change"();
-- compatible: without muster.changes, which the release before does not set, it does nothing.
CREATE TRIGGER "pool_rebuild_noted" AFTER INSERT ON "pool_rebuild" FOR EACH ROW
  WHEN (current_setting('muster.changes', true) <> '') EXECUTE FUNCTION "note_change"();
-- compatible: without muster.changes, which the release before does not set, it does nothing.
CREATE TRIGGER "pool_tuning_noted" AFTER INSERT OR UPDATE ON "pool_tuning" FOR EACH ROW
  WHEN (current_setting('muster.changes', true) <> '') EXECUTE FUNCTION "note_change"();
-- compatible: without muster.changes, which the release before does not set, it does nothing.
CREATE TRIGGER "rating_noted" AFTER INSERT OR UPDATE ON "rating" FOR EACH ROW
  WHEN (current_setting('muster.changes', true) <> '') EXECUTE FUNCTION "note_change"();
-- compatible: without muster.changes, which the release before does not set, it does nothing.
CREATE TRIGGER "season_noted" AFTER INSERT OR UPDATE OR DELETE ON "season" FOR EACH ROW
  WHEN (current_setting('muster.changes', true) <> '') EXECUTE FUNCTION "note_change"();
-- compatible: without muster.changes, which the release before does not set, it does nothing.
CREATE TRIGGER "booster_noted" AFTER INSERT OR UPDATE ON "booster" FOR EACH ROW
  WHEN (current_setting('muster.changes', true) <> '') EXECUTE FUNCTION "note_change"();
-- compatible: without muster.changes, which the release before does not set, it does nothing.
CREATE TRIGGER "integrity_case_noted" AFTER UPDATE ON "integrity_case" FOR EACH ROW
  WHEN (current_setting('muster.changes', true) <> '') EXECUTE FUNCTION "note_change"('subject');
-- compatible: without muster.changes, which the release before does not set, it does nothing.
CREATE TRIGGER "player_name_noted" AFTER INSERT OR UPDATE ON "player_name" FOR EACH ROW
  WHEN (current_setting('muster.changes', true) <> '') EXECUTE FUNCTION "note_change"('name');
-- compatible: without muster.changes, which the release before does not set, it does nothing.
CREATE TRIGGER "legal_hold_noted" AFTER INSERT OR DELETE ON "legal_hold" FOR EACH ROW
  WHEN (current_setting('muster.changes', true) <> '') EXECUTE FUNCTION "note_change"();
CREATE TRIGGER "pause_noted" AFTER INSERT OR UPDATE OR DELETE ON "pause" FOR EACH ROW
  WHEN (current_setting('muster.changes', true) <> '') EXECUTE FUNCTION "note_change"();
CREATE TRIGGER "player_ban_noted" AFTER INSERT OR UPDATE OR DELETE ON "player_ban" FOR EACH ROW
  WHEN (current_setting('muster.changes', true) <> '') EXECUTE FUNCTION "note_change"();
CREATE TRIGGER "webhook_noted" AFTER INSERT OR UPDATE OR DELETE ON "webhook" FOR EACH ROW
  WHEN (current_setting('muster.changes', true) <> '') EXECUTE FUNCTION "note_change"('secrets');
CREATE TRIGGER "webhook_delivery_noted" AFTER UPDATE OF "state" ON "webhook_delivery" FOR EACH ROW
  WHEN (current_setting('muster.changes', true) <> '') EXECUTE FUNCTION "note_change"();
