ALTER TABLE "integrity_case" VALIDATE CONSTRAINT "integrity_case_kind_known";
