CREATE INDEX CONCURRENTLY "match_over" ON "match" ((coalesce("ended_at", "closed_at")), "id") WHERE coalesce("ended_at", "closed_at") IS NOT NULL;
