-- compatible: changes by the release before are events as well, and it neither reads nor writes these tables
CREATE TRIGGER "rules_changed_event" AFTER INSERT ON "queue_rules" FOR EACH ROW EXECUTE FUNCTION "emit_rules"();
