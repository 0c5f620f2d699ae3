-- compatible: changes by the release before are events as well, and it neither reads nor writes these tables
CREATE TRIGGER "penalty_imposed_event" AFTER INSERT ON "penalty" FOR EACH ROW WHEN (NEW."forgiven_at" IS NULL)
  EXECUTE FUNCTION "emit_penalty"();
-- compatible: changes by the release before are events as well, and it neither reads nor writes these tables
CREATE TRIGGER "penalty_changed_event" AFTER UPDATE OF "forgiven_at" ON "penalty" FOR EACH ROW
  WHEN ((OLD."forgiven_at" IS NULL) <> (NEW."forgiven_at" IS NULL)) EXECUTE FUNCTION "emit_penalty"();
