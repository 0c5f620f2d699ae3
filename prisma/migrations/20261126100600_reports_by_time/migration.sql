CREATE INDEX CONCURRENTLY "behaviour_report_at" ON "behaviour_report" ("at");
