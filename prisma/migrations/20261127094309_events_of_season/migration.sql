-- Number 0 is the time before the first season.
-- compatible: changes by the release before are events as well, and it neither reads nor writes these tables
CREATE TRIGGER "season_event" AFTER INSERT ON "season" FOR EACH ROW WHEN (NEW."number" > 0) EXECUTE FUNCTION "emit_season"();
-- compatible: changes by the release before are events as well, and it neither reads nor writes these tables
CREATE TRIGGER "season_changed_event" AFTER UPDATE OF "starts_at", "started_at", "ended_at" ON "season" FOR EACH ROW
  WHEN (NEW."number" > 0 AND (OLD."starts_at", OLD."started_at", OLD."ended_at")
    IS DISTINCT FROM (NEW."starts_at", NEW."started_at", NEW."ended_at"))
  EXECUTE FUNCTION "emit_season"();
