-- Matches that wait for a server by the time at which they are abandoned.
CREATE INDEX CONCURRENTLY "placement_give_up_at_idx" ON "placement" ("give_up_at");
