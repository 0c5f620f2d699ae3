-- Build and platform of every member of a party; null where the member did not say, as members before this did not.
ALTER TABLE "party_member"
    ADD COLUMN "build" TEXT,
    ADD COLUMN "platform" TEXT,
    ADD COLUMN "cross_play" BOOLEAN NOT NULL DEFAULT true;
