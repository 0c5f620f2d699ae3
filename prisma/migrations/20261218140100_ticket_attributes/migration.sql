ALTER TABLE "match_player" ADD COLUMN "attributes" jsonb;
