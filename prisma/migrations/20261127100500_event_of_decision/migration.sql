-- An operator's decision about a report that contradicts a result is an event as well.
CREATE OR REPLACE FUNCTION "emit_result_conflict"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO "event_outbox" ("type", "order_key", "data")
  VALUES (CASE WHEN NEW."decision" IS NULL THEN 'result.conflict' ELSE 'result.decided' END, NEW."match_id",
    jsonb_build_object('matchId', NEW."match_id", 'reportedBy', NEW."reported_by", 'reason', NEW."reason",
      'receivedAt', event_ms(NEW."received_at"), 'decision', NEW."decision", 'decidedAt', event_ms(NEW."decided_at")));
  RETURN NULL;
END;
$$;
-- compatible: the release before decides nothing
CREATE TRIGGER "result_decided_event" AFTER UPDATE OF "decision" ON "result_conflict" FOR EACH ROW
  WHEN (NEW."decision" IS NOT NULL AND OLD."decision" IS DISTINCT FROM NEW."decision") EXECUTE FUNCTION "emit_result_conflict"();
