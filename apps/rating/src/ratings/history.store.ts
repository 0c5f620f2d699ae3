import { readMessages } from '@muster/contracts';
import { asBelief, type Db, type Reads, readsOf, sqlPart, type SqlPart } from '@muster/db';
import type { Json, LedgerRow, RatingHistoryRow, RatingPool, TimeRange } from '@muster/domain';

/** Rebuilds of a pool that are looked at, the latest, and rows of each kind. */
const latestRebuilds = 20;
const mostVoided = 100;

interface HistoryRow {
  sequence: bigint;
  kind: RatingHistoryRow['kind'];
  event_id: string;
  at: Date;
  by: string | null;
  reason: string | null;
  messages: unknown;
  version: number;
  before: Json;
  after: Json;
}

/** What matches and corrections changed. */
export class PostgresRatingHistory {
  constructor(
    private readonly db: Db,
    /** May be of a read replica, which may not have the newest generation yet. */
    private readonly reads: Reads = readsOf(db),
  ) {}

  /** The rating changes of matches. */
  async changes(matchIds: readonly string[]): Promise<LedgerRow[]> {
    const rows = await this.db.$sql.$queryRaw<
      { event_id: string; player_id: string; before: unknown; after: unknown }[]
    >`
      SELECT change.event_id, player_id, before, after
      FROM rating_event AS event JOIN rating_pool ON rating_pool.name = event.pool
      JOIN rating_change AS change ON change.pool = event.pool AND change.generation = rating_pool.generation
        AND change.kind = 'match' AND change.event_id = event.event_id
      WHERE event.event_id = ANY(${[...matchIds]}::text[]) AND event.kind = 'match'`;
    return rows.map(({ event_id: matchId, player_id: playerId, before, after }) => ({
      matchId,
      playerId,
      before: asBelief(before),
      after: asBelief(after),
    }));
  }

  /** Changes of a player's rating, newest first; within a time range if one is given. */
  of(
    pool: Pick<RatingPool, 'name'>,
    playerId: string,
    limit: number,
    range: TimeRange = {},
  ): Promise<RatingHistoryRow[]> {
    return this.reads.read((db) => readHistory(db, pool, playerId, limit, range));
  }

  /**
   * The latest matches of a player that were voided, each with the change that it takes back, and the latest rebuilds that
   * changed the rating, each from the last rating before it to the same moment's after it. Newest first. The cost depends on the
   * player's changes and the latest rebuilds.
   */
  corrections(pool: Pick<RatingPool, 'name' | 'generation'>, playerId: string): Promise<RatingHistoryRow[]> {
    return this.reads.read((db) => readCorrections(db, pool, playerId));
  }
}

function asRow({ sequence, event_id: eventId, at, messages, ...row }: HistoryRow): RatingHistoryRow {
  return {
    ...row,
    ...(messages && row.reason !== null ? { messages: readMessages(messages, row.reason) } : {}),
    sequence: Number(sequence),
    eventId,
    at: at.getTime(),
  };
}

async function readHistory(
  db: Db,
  { name }: Pick<RatingPool, 'name'>,
  playerId: string,
  limit: number,
  range: TimeRange,
): Promise<RatingHistoryRow[]> {
  const [pool] = await db.$sql.$queryRaw<{ generation: number }[]>`
    SELECT generation FROM rating_pool WHERE name = ${name}`;
  if (!pool) throw new Error(`the rating pool "${name}" is not there`);
  const { generation } = pool;
  const rows = await db.$sql.$queryRaw<HistoryRow[]>(historyOf(name, generation, playerId, limit, range));
  return rows.map(asRow);
}

/**
 * Uses the index of a player's changes in order, so the cost depends on the player's changes only. The event of a match says
 * nothing that a row shows, so it is not read.
 */
export function historyOf(
  name: string,
  generation: number,
  playerId: string,
  limit: number,
  { from, to }: TimeRange,
): SqlPart {
  const since = from === undefined ? sqlPart`` : sqlPart`AND change.at >= ${new Date(from)}`;
  const until = to === undefined ? sqlPart`` : sqlPart`AND change.at < ${new Date(to)}`;
  return sqlPart`
    SELECT change.sequence, change.kind, change.event_id, change.at, event.detail->>'by' AS by, event.detail->>'reason' AS reason,
      event.detail->'messages' AS messages, change.version, before, after
    FROM rating_change AS change LEFT JOIN rating_event AS event ON event.sequence = change.sequence AND change.kind <> 'match'
    WHERE change.pool = ${name} AND change.generation = ${generation} AND change.player_id = ${playerId}
      ${since} ${until}
    ORDER BY change.sequence DESC LIMIT ${limit}::int`;
}

async function readCorrections(
  db: Db,
  { name, generation }: Pick<RatingPool, 'name' | 'generation'>,
  playerId: string,
): Promise<RatingHistoryRow[]> {
  const rows = await db.$sql.$queryRaw<HistoryRow[]>`
    WITH rebuild AS MATERIALIZED (
      SELECT id, generation, reason, reason_messages, finished_at,
        coalesce(lag(generation) OVER (ORDER BY generation), 1) AS replaced
      FROM pool_rebuild WHERE pool = ${name} AND state = 'done' AND generation <= ${generation}::int
      ORDER BY generation DESC LIMIT ${latestRebuilds}::int
    ), voided AS (
      SELECT DISTINCT ON (void.sequence) void.sequence, void.event_id, void.at, void.detail, change.version, change.before, change.after
      FROM rating_change AS change
      JOIN rating_event AS void ON void.pool = ${name} AND void.kind = 'void' AND void.event_id = change.event_id
      WHERE change.pool = ${name} AND change.player_id = ${playerId} AND change.kind = 'match'
        AND change.generation = ANY(ARRAY(SELECT replaced FROM rebuild) || ${generation}::int)
      ORDER BY void.sequence DESC, change.generation DESC LIMIT ${mostVoided}::int
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
  return rows.map(asRow).toSorted((a, b) => b.at - a.at);
}
