-- Whether a player had not played for too long at the end of a season: such a player has no rank. The release before ranks them.
ALTER TABLE "season_standing" ADD COLUMN "away" BOOLEAN NOT NULL DEFAULT false;
