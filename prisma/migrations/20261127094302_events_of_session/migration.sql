-- compatible: changes by the release before are events as well, and it neither reads nor writes these tables
CREATE TRIGGER "session_reserved_event" AFTER INSERT ON "session" FOR EACH ROW EXECUTE FUNCTION "emit_session"();
-- compatible: changes by the release before are events as well, and it neither reads nor writes these tables
CREATE TRIGGER "session_changed_event" AFTER UPDATE OF "state" ON "session" FOR EACH ROW
  WHEN (OLD."state" IS DISTINCT FROM NEW."state") EXECUTE FUNCTION "emit_session"();
