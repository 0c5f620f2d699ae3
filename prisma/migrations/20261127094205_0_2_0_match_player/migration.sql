ALTER TABLE "match_player"
  -- The booster with which a player plays a match: its id, its division, and whether that is above the player's own. The release
  -- before leaves it out, and its matches count as without one.
  ADD COLUMN "booster" JSONB,
  -- The document of the ticket, with the ticket's leader.
  ADD COLUMN "attributes" JSONB,
  -- When the server said that a player is finished in a match that goes on.
  ADD COLUMN "finished_at" TIMESTAMPTZ(3);
