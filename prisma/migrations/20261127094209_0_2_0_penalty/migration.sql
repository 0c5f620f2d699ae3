-- When and why a penalty was lifted. "forgiven_at" has the same time then: the release before reads only that.
ALTER TABLE "penalty" ADD COLUMN "lifted_at" TIMESTAMPTZ(3), ADD COLUMN "lifted_why" TEXT, ADD COLUMN "lifted_messages" JSONB;
