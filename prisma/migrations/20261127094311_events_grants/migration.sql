-- The queue copies events of tickets. Assignment gives events their numbers and delivers them. Can run again, as every migration of grants.
DO $$
BEGIN
  IF to_regrole('muster_queue') IS NOT NULL THEN
    GRANT INSERT ("type", "order_key", "at", "data") ON "event_outbox" TO "muster_queue";
    GRANT USAGE ON SEQUENCE "event_outbox_id_seq" TO "muster_queue";
    GRANT SELECT, INSERT, UPDATE ("place") ON "ticket_event_place" TO "muster_queue";
  END IF;
  IF to_regrole('muster_assignment') IS NOT NULL THEN
    GRANT SELECT, DELETE ON "event_outbox" TO "muster_assignment";
    GRANT SELECT, INSERT, DELETE ON "event_log" TO "muster_assignment";
    GRANT SELECT, INSERT, UPDATE ("last", "forgotten") ON "event_bounds" TO "muster_assignment";
    GRANT SELECT, INSERT, UPDATE, DELETE ON "webhook", "webhook_delivery" TO "muster_assignment";
  END IF;
END $$;
