-- The messages (code and parameters) of `why`; NULL where it is an operator's text, or a release before wrote it.
ALTER TABLE queue_rules ADD COLUMN why_messages jsonb;
