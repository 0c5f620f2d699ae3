-- Skill by side, map, venue or role beside the common skill. Null where the pool rates none.
ALTER TABLE "rating" ADD COLUMN "aspects" JSONB;
