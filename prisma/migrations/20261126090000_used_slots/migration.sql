-- The number of slots in use by which servers are found: counted when slots are reserved, and again after sessions close.
-- Sessions decide whether a slot is free.
ALTER TABLE "server" ADD COLUMN "used_slots" INTEGER NOT NULL DEFAULT 0;
