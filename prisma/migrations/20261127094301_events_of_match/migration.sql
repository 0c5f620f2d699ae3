-- compatible: changes by the release before are events as well, and it neither reads nor writes these tables
CREATE CONSTRAINT TRIGGER "match_formed_event" AFTER INSERT ON "match" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION "emit_match"();
-- compatible: changes by the release before are events as well, and it neither reads nor writes these tables
CREATE CONSTRAINT TRIGGER "match_changed_event" AFTER UPDATE OF "state" ON "match" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD."state" IS DISTINCT FROM NEW."state") EXECUTE FUNCTION "emit_match"();
