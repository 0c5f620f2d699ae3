-- compatible: changes by the release before are events as well, and it neither reads nor writes these tables
CREATE TRIGGER "server_registered_event" AFTER INSERT ON "server" FOR EACH ROW EXECUTE FUNCTION "emit_server"();
-- compatible: changes by the release before are events as well, and it neither reads nor writes these tables
CREATE TRIGGER "server_changed_event" AFTER UPDATE OF "state" ON "server" FOR EACH ROW
  WHEN (OLD."state" IS DISTINCT FROM NEW."state") EXECUTE FUNCTION "emit_server"();
