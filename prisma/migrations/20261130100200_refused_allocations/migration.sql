-- What a provider refused of a need: what it refused a moment ago is asked for elsewhere.
CREATE INDEX CONCURRENTLY "allocation_refused" ON "allocation" ("provider", "build", "need", "closed_at") WHERE "state" = 'failed';
