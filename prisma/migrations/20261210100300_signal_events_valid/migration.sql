ALTER TABLE "rating_event" VALIDATE CONSTRAINT "rating_event_kind_known";
