-- The number of a slot is one that some server may have; before, it had to be a row of "slot".
ALTER TABLE "session" ADD CONSTRAINT "session_slot_sane" CHECK ("slot_ordinal" BETWEEN 0 AND 9999);
