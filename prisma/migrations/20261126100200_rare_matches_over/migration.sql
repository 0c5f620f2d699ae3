CREATE INDEX CONCURRENTLY "match_rare_over" ON "match" ("state", (coalesce("ended_at", "closed_at")), "id") WHERE "state" IN ('abandoned', 'void');
