-- A player's matches are listed newest first. The time stands beside the player, so that a page reads as many rows as it has.
ALTER TABLE "match_player" ADD COLUMN "formed_at" TIMESTAMPTZ(3);

-- Statements that do not give the time, those of the release before too. One that inserts the match in the same statement
-- cannot be seen from here: such a match is formed now.
CREATE FUNCTION "match_player_formed_at"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT "formed_at" INTO NEW."formed_at" FROM "match" WHERE "id" = NEW."match_id";
  NEW."formed_at" := coalesce(NEW."formed_at", statement_timestamp());
  RETURN NEW;
END $$;
CREATE TRIGGER "match_player_formed_at" BEFORE INSERT ON "match_player"
  FOR EACH ROW WHEN (NEW."formed_at" IS NULL) EXECUTE FUNCTION "match_player_formed_at"();

UPDATE "match_player" SET "formed_at" = coalesce("match"."formed_at", "match"."closed_at", now())
FROM "match" WHERE "match"."id" = "match_player"."match_id" AND "match_player"."formed_at" IS NULL;

ALTER TABLE "match_player" ALTER COLUMN "formed_at" SET NOT NULL;
