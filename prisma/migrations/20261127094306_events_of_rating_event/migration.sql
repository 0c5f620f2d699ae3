-- compatible: changes by the release before are events as well, and it neither reads nor writes these tables
CREATE CONSTRAINT TRIGGER "rating_changed_event" AFTER INSERT ON "rating_event" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION "emit_rating"();
