-- Each match writes the ratings of its players. With room on its page, a new version needs no entry in an index.
ALTER TABLE "rating" SET (fillfactor = 80);
