-- The trace that every step of the match continues: a W3C traceparent, and tracestate after a space.
ALTER TABLE "match" ADD COLUMN "trace" TEXT;
