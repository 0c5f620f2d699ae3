-- Orders say what they are for, and whether they are proven the best. Those of before were for balance, and nothing was proven.
UPDATE "balance_order" SET "body" = '{"kind": "balance", "exact": false}'::jsonb || "body" WHERE NOT "body" ? 'kind';
UPDATE "command" SET "payload" = '{"kind": "balance", "exact": false}'::jsonb || "payload"
WHERE "kind" = 'balance' AND "state" = 'pending' AND NOT "payload" ? 'kind';
UPDATE "outbox" SET "payload" = jsonb_set("payload", '{order}', '{"kind": "balance", "exact": false}'::jsonb || ("payload" -> 'order'))
WHERE "queue" = 'balance-session' AND NOT "payload" -> 'order' ? 'kind';

-- Policies say how players choose their sides.
UPDATE "live_balance" SET "policy" = '{"sides": {"forMs": 30000, "toleranceShare": 0.05}}'::jsonb || "policy"
WHERE NOT "policy" ? 'sides';
