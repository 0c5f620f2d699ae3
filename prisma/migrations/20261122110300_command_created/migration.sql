-- Commands are forgotten some time after they were given, the oldest first.
CREATE INDEX CONCURRENTLY "command_created" ON "command" ("created_at");
