-- The services that write the texts of a match write their messages. Without the services' roles there is nothing to grant.
-- Can run again, as every migration of grants.
DO $$
BEGIN
  IF to_regrole('muster_assignment') IS NULL OR to_regrole('muster_allocator') IS NULL OR to_regrole('muster_rating') IS NULL THEN
    RETURN;
  END IF;
  GRANT INSERT ("why_messages") ON "match" TO "muster_assignment";
  GRANT UPDATE ("close_messages") ON "match" TO "muster_allocator", "muster_rating";
END $$;
