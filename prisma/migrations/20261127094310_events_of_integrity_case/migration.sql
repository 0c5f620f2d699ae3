-- compatible: changes by the release before are events as well, and it neither reads nor writes these tables
CREATE TRIGGER "case_opened_event" AFTER INSERT ON "integrity_case" FOR EACH ROW EXECUTE FUNCTION "emit_case"();
-- compatible: changes by the release before are events as well, and it neither reads nor writes these tables
CREATE TRIGGER "case_closed_event" AFTER UPDATE OF "state" ON "integrity_case" FOR EACH ROW
  WHEN (OLD."state" IS DISTINCT FROM NEW."state") EXECUTE FUNCTION "emit_case"();
