-- Players who have each agreed to be queued together by one of them.
CREATE TABLE "party" (
    "id" TEXT NOT NULL,
    "leader" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "touched_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "party_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "party_touched_at_idx" ON "party" ("touched_at");

CREATE TABLE "party_member" (
    "player_id" TEXT NOT NULL,
    "party_id" TEXT NOT NULL,
    "latency_ms" JSONB NOT NULL,
    "can_play" TEXT[],
    "claims" JSONB NOT NULL,
    "joined_at" TIMESTAMPTZ(3) NOT NULL,

    -- A player is in one party at most: of two that they join at once, one gets them.
    CONSTRAINT "party_member_pkey" PRIMARY KEY ("player_id"),
    CONSTRAINT "party_member_party_id_fkey" FOREIGN KEY ("party_id") REFERENCES "party" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "party_member_party_id_joined_at_idx" ON "party_member" ("party_id", "joined_at");

CREATE TABLE "party_invitation" (
    "party_id" TEXT NOT NULL,
    "player_id" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "party_invitation_pkey" PRIMARY KEY ("party_id", "player_id"),
    CONSTRAINT "party_invitation_party_id_fkey" FOREIGN KEY ("party_id") REFERENCES "party" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "party_invitation_player_id_idx" ON "party_invitation" ("player_id");
CREATE INDEX "party_invitation_expires_at_idx" ON "party_invitation" ("expires_at");

-- Whom players want to be kept away from.
CREATE TABLE "avoided_player" (
    "player_id" TEXT NOT NULL,
    "avoided_id" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "avoided_player_pkey" PRIMARY KEY ("player_id", "avoided_id")
);
-- Read in both directions whenever somebody queues; of those who avoid a player, the newest.
CREATE INDEX "avoided_player_avoided_id_since_idx" ON "avoided_player" ("avoided_id", "since");
ALTER TABLE "avoided_player" ADD CONSTRAINT "avoided_player_scope_known" CHECK ("scope" IN ('team', 'match'));
ALTER TABLE "avoided_player" ADD CONSTRAINT "avoided_player_another" CHECK ("player_id" <> "avoided_id");

-- What players said of team-mates after a match.
CREATE TABLE "behaviour_report" (
    "match_id" TEXT NOT NULL,
    "reporter" TEXT NOT NULL,
    "reported" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "weight" DOUBLE PRECISION NOT NULL,
    "note" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,

    -- Said once a match: what came first stays.
    CONSTRAINT "behaviour_report_pkey" PRIMARY KEY ("match_id", "reporter", "reported")
);
CREATE INDEX "behaviour_report_reported_at_idx" ON "behaviour_report" ("reported", "at");
ALTER TABLE "behaviour_report" ADD CONSTRAINT "behaviour_report_weight_range" CHECK ("weight" BETWEEN 0 AND 1);
ALTER TABLE "behaviour_report" ADD CONSTRAINT "behaviour_report_another" CHECK ("reporter" <> "reported");
