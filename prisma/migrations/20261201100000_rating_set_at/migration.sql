-- When a rating was last set: time without a match counts from there as well. Null in rows of the release before.
ALTER TABLE "rating" ADD COLUMN "set_at" TIMESTAMPTZ(3);
