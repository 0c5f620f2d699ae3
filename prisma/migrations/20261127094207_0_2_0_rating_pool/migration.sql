-- The rules of its seasons. The release before leaves the column as it is.
ALTER TABLE "rating_pool" ADD COLUMN "seasons" JSONB NOT NULL DEFAULT '[]';
