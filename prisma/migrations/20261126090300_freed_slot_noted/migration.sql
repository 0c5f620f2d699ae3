-- A closed session frees its slot. After the grants: the trigger writes with the rights of the allocator.
CREATE FUNCTION "note_freed_slot"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "freed_slot" ("server_id") VALUES (OLD."server_id");
  RETURN NULL;
END;
$$;
-- A trigger, because the version before closes sessions too.
CREATE TRIGGER "session_frees_slot" AFTER UPDATE OF "state" ON "session" FOR EACH ROW
  WHEN (OLD."state" IN ('reserved', 'live') AND NEW."state" NOT IN ('reserved', 'live'))
  EXECUTE FUNCTION "note_freed_slot"();

INSERT INTO "freed_slot" ("server_id") SELECT DISTINCT "server_id" FROM "session" WHERE "state" IN ('reserved', 'live');
