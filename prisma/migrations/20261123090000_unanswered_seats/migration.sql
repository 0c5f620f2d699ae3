-- Orders to let players in that no server has answered are looked for again and again.
CREATE INDEX "command_seats_unanswered" ON "command" ("created_at") WHERE "kind" = 'add-players' AND "state" = 'pending';
