ALTER TABLE "placement" VALIDATE CONSTRAINT "placement_shortage_known";
ALTER TABLE "rating_event" VALIDATE CONSTRAINT "rating_event_kind_known";
