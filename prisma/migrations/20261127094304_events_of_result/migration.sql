-- compatible: changes by the release before are events as well, and it neither reads nor writes these tables
CREATE TRIGGER "result_received_event" AFTER INSERT ON "result" FOR EACH ROW EXECUTE FUNCTION "emit_result"();
