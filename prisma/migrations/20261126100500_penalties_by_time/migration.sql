CREATE INDEX CONCURRENTLY "penalty_at" ON "penalty" ("at");
