ALTER TABLE "placement" VALIDATE CONSTRAINT "placement_shortage_known";
