-- The messages (code and parameters) that a stored text is made of; NULL where a release before wrote the text alone.
ALTER TABLE match ADD COLUMN why_messages jsonb, ADD COLUMN close_messages jsonb;
ALTER TABLE proposal_verdict ADD COLUMN messages jsonb;
ALTER TABLE result_conflict ADD COLUMN messages jsonb;
ALTER TABLE pool_version ADD COLUMN why_messages jsonb;
ALTER TABLE pool_rebuild ADD COLUMN reason_messages jsonb;
