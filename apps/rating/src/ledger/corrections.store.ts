import { readMessages } from '@muster/contracts';
import type { Db } from '@muster/db';
import type { RatingHistoryRow, RatingPool } from '@muster/domain';
import type { HistoryRow } from './reading.store.js';

/** Rebuilds of a pool that are looked at, the latest, and rows of each kind. */
const latest = 20;
const most = 100;

type Row = HistoryRow & { kind: 'void' | 'rebuild' };

/** See `LedgerStore.corrections`. The cost depends on the player's changes and the latest rebuilds. */
export async function readCorrections(
  db: Db,
  { name, generation }: Pick<RatingPool, 'name' | 'generation'>,
  playerId: string,
): Promise<RatingHistoryRow[]> {
  const rows = await db.$sql.$queryRaw<Row[]>`
    WITH rebuild AS MATERIALIZED (
      SELECT id, generation, reason, reason_messages, finished_at,
        coalesce(lag(generation) OVER (ORDER BY generation), 1) AS replaced
      FROM pool_rebuild WHERE pool = ${name} AND state = 'done' AND generation <= ${generation}::int
      ORDER BY generation DESC LIMIT ${latest}::int
    ), voided AS (
      SELECT DISTINCT ON (void.sequence) void.sequence, void.event_id, void.at, void.detail, change.version, change.before, change.after
      FROM rating_change AS change
      JOIN rating_event AS void ON void.pool = ${name} AND void.kind = 'void' AND void.event_id = change.event_id
      WHERE change.pool = ${name} AND change.player_id = ${playerId} AND change.kind = 'match'
        AND change.generation = ANY(ARRAY(SELECT replaced FROM rebuild) || ${generation}::int)
      ORDER BY void.sequence DESC, change.generation DESC LIMIT ${most}::int
    )
    SELECT 'void' AS kind, sequence, event_id, at, detail->>'by' AS by, detail->>'reason' AS reason, detail->'messages' AS messages,
      version, after AS before, before AS after
    FROM voided
    UNION ALL
    SELECT 'rebuild', live.sequence, rebuild.id, finished_at, NULL, reason, reason_messages, coalesce(made.version, live.version),
      live.after, made.after
    FROM rebuild
    CROSS JOIN LATERAL (
      SELECT sequence, version, after FROM rating_change
      WHERE pool = ${name} AND generation = rebuild.replaced AND player_id = ${playerId} ORDER BY sequence DESC LIMIT 1
    ) AS live
    LEFT JOIN LATERAL (
      SELECT version, after FROM rating_change
      WHERE pool = ${name} AND generation = rebuild.generation AND player_id = ${playerId} AND sequence <= live.sequence
      ORDER BY sequence DESC LIMIT 1
    ) AS made ON true
    WHERE made.after IS NULL OR made.after->'mu' <> live.after->'mu' OR made.after->'sigma' <> live.after->'sigma'`;
  return rows
    .map(({ sequence, event_id: eventId, at, messages, ...row }) => ({
      ...row,
      ...(messages && row.reason !== null ? { messages: readMessages(messages, row.reason) } : {}),
      sequence: Number(sequence),
      eventId,
      at: at.getTime(),
    }))
    .toSorted((a, b) => b.at - a.at);
}
