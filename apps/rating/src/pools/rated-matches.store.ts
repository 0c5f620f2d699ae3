import { type Db, transact } from '@muster/db';
import type { RatedBefore, RatedMatch, RatingPool } from '@muster/domain';

/** Below every sequence: nothing is in the totals yet. */
const none = -9_223_372_036_854_775_808n;

interface DueRow {
  pool: string;
  generation: number;
  newest: bigint;
  hasTotal: boolean;
}

interface RatedRow {
  sequence: bigint;
  at: Date;
  ranks: number[];
  raw: number[];
  chances: number[];
  features: RatedMatch['features'];
  drift: number;
  newcomers: number;
  converged: number;
}

type Generation = Pick<RatingPool, 'name' | 'generation'>;
/** A match as its pool predicted it. */
export type PredictedMatch = Pick<RatedMatch, 'ranks' | 'chances'>;

/** The rated matches of pools, and totals over them: what is read instead of all matches. */
export class PostgresRatedMatches {
  constructor(private readonly db: Db) {}

  /** The latest matches of the pool's generation, oldest first, and the totals before them. */
  async latest(pool: RatingPool, limit: number): Promise<{ before: RatedBefore; matches: RatedMatch[] }> {
    const rows = await this.db.$sql.$queryRaw<RatedRow[]>`
      SELECT sequence, at, ranks, raw, chances, features, drift, newcomers, converged FROM rated_match
      WHERE pool = ${pool.name} AND generation = ${pool.generation} ORDER BY sequence DESC LIMIT ${limit}`;
    const matches = rows.toReversed().map((row) => ({
      ...row,
      sequence: Number(row.sequence),
      at: row.at.getTime(),
    }));
    return { before: await totalsBefore(this.db, pool, matches[0]?.sequence ?? 0), matches };
  }

  /** The newest sequence of the pool's generation; null without a rated match. */
  async newest({ name, generation }: Generation): Promise<bigint | null> {
    const [row] = await this.db.$sql.$queryRaw<{ sequence: bigint }[]>`
      SELECT sequence FROM rated_match WHERE pool = ${name} AND generation = ${generation} ORDER BY sequence DESC LIMIT 1`;
    return row?.sequence ?? null;
  }

  /** What was predicted of the latest matches of the pool's generation, and how they ended. */
  predictions({ name, generation }: Generation, limit: number): Promise<PredictedMatch[]> {
    return this.db.$sql.$queryRaw<PredictedMatch[]>`
      SELECT ranks, chances FROM rated_match
      WHERE pool = ${name} AND generation = ${generation} ORDER BY sequence DESC LIMIT ${limit}`;
  }

  /**
   * The number of matches rated in this generation, and under this version. A version older than the newest in the totals is no
   * longer in force, so its stored number is not kept.
   */
  async count({ name, generation, version }: RatingPool): Promise<{ matches: number; underVersion: number }> {
    const [row] = await this.db.$sql.$queryRaw<{ matches: number; underVersion: number }[]>`
      WITH total AS (
        SELECT through, matches, CASE WHEN version = ${version} THEN under_version ELSE 0 END AS under_version
        FROM rated_total WHERE pool = ${name} AND generation = ${generation}
        UNION ALL SELECT ${none}::bigint, 0, 0 ORDER BY through DESC LIMIT 1
      ), later AS (
        SELECT count(*) AS matches, count(*) FILTER (WHERE version = ${version}) AS under_version FROM rated_match
        WHERE pool = ${name} AND generation = ${generation} AND sequence > (SELECT through FROM total)
          AND sequence <= (SELECT max(sequence) FROM rated_match WHERE pool = ${name} AND generation = ${generation})
      )
      SELECT (total.matches + later.matches)::float8 AS matches,
        (total.under_version + later.under_version)::float8 AS "underVersion"
      FROM total, later`;
    return row ?? { matches: 0, underVersion: 0 };
  }

  /**
   * Adds rated matches to the totals of their pools, at most `limit` of each pool. Raters do not write totals, so they do not
   * wait for one another, and a release that knows no totals may rate at the same time.
   *
   * Sequences are committed out of order, so a total never passes a sequence below which a row can still appear:
   *
   * 1. A mark is the newest sequence of a pool, with the id of a transaction that began to write after the mark was read.
   *    A transaction locks its players before it draws a sequence, so it has an id by then: if it drew one up to the mark,
   *    its id is lower.
   * 2. Once every transaction with a lower id is over, all rows up to the mark are visible and can be added.
   *
   * @returns whether more can be added at once
   */
  async addToTotals(limit: number): Promise<boolean> {
    const due = await this.db.$sql.$queryRaw<DueRow[]>`
      SELECT name AS pool, rating_pool.generation, newest.sequence AS newest, through IS NOT NULL AS "hasTotal"
      FROM rating_pool CROSS JOIN LATERAL (
        SELECT sequence FROM rated_match WHERE pool = name AND generation = rating_pool.generation ORDER BY sequence DESC LIMIT 1
      ) AS newest
      LEFT JOIN rated_total ON rated_total.pool = name AND rated_total.generation = rating_pool.generation
      WHERE through IS NULL OR through < newest.sequence`;
    let isMore = false;
    for (const each of due) {
      if (!each.hasTotal) await begin(this.db, each);
      else if (await advance(this.db, each, limit)) isMore = true;
    }
    return isMore;
  }
}

async function begin(db: Db, { pool, generation, newest }: DueRow): Promise<void> {
  await db.$sql.$executeRaw`
    INSERT INTO rated_total (pool, generation, through, mark, mark_xid)
    VALUES (${pool}, ${generation}, ${none}::bigint, ${newest}::bigint, pg_current_xact_id()::text::bigint) ON CONFLICT DO NOTHING`;
}

/** @returns whether the mark is further than a batch */
function advance(db: Db, { pool, generation, newest }: DueRow, limit: number): Promise<boolean> {
  return transact(db, async (tx) => {
    // A second statement adds: it sees what was committed before this one returns.
    const [held] = await tx.$queryRaw<
      { through: bigint; mark: bigint; settled: boolean; foreign: boolean }[]
    >`
      SELECT through, mark, mark_xid <= pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS settled,
        mark_xid > pg_current_xact_id()::text::bigint AS foreign
      FROM rated_total WHERE pool = ${pool} AND generation = ${generation} FOR UPDATE SKIP LOCKED`;
    if (!held) return false;
    // A copy in another server counts transactions from a lower number.
    if (held.foreign)
      await tx.$executeRaw`
        UPDATE rated_total SET mark_xid = pg_current_xact_id()::text::bigint
        WHERE pool = ${pool} AND generation = ${generation}`;
    if (!held.settled) return false;
    const [added] = await tx.$queryRaw<{ isMore: boolean }[]>`
      WITH part AS MATERIALIZED (
        SELECT sequence, version, drift, newcomers, converged FROM rated_match
        WHERE pool = ${pool} AND generation = ${generation} AND sequence > ${held.through}::bigint AND sequence <= ${held.mark}::bigint
        ORDER BY sequence LIMIT ${limit}::int
      ), added AS (
        SELECT count(*) AS matches, max(sequence) AS last, coalesce(sum(drift), 0) AS drift,
          coalesce(sum(newcomers), 0) AS newcomers, coalesce(sum(converged), 0) AS converged, max(version) AS version,
          count(*) FILTER (WHERE version = (SELECT max(version) FROM part)) AS under_version, count(*) >= ${limit}::int AS is_more
        FROM part
      )
      UPDATE rated_total AS total SET
        through = CASE WHEN is_more THEN last ELSE mark END,
        matches = total.matches + added.matches, drift = total.drift + added.drift,
        newcomers = total.newcomers + added.newcomers, converged = total.converged + added.converged,
        version = greatest(total.version, added.version),
        under_version = CASE WHEN added.version > total.version THEN added.under_version
          WHEN added.version = total.version THEN total.under_version + added.under_version ELSE total.under_version END,
        mark = CASE WHEN is_more THEN mark ELSE greatest(mark, ${newest}::bigint) END,
        mark_xid = CASE WHEN is_more THEN mark_xid ELSE pg_current_xact_id()::text::bigint END
      FROM added WHERE total.pool = ${pool} AND total.generation = ${generation} RETURNING is_more AS "isMore"`;
    return added?.isMore ?? false;
  });
}

/**
 * Totals over the matches of a generation with a lower sequence. They are exact: the difference between `first` and the
 * stored totals is read from the matches.
 *
 * Ranges have two bounds, because the planner takes a range with one bound for a third of the table.
 */
async function totalsBefore(db: Db, { name, generation }: RatingPool, first: number): Promise<RatedBefore> {
  const [row] = await db.$sql.$queryRaw<RatedBefore[]>`
    WITH total AS (
      SELECT through, matches, drift, newcomers, converged FROM rated_total WHERE pool = ${name} AND generation = ${generation}
      UNION ALL SELECT ${none}::bigint, 0, 0, 0, 0 ORDER BY through DESC LIMIT 1
    ), later AS (
      SELECT count(*) AS matches, coalesce(sum(drift), 0) AS drift, coalesce(sum(newcomers), 0) AS newcomers,
        coalesce(sum(converged), 0) AS converged
      FROM rated_match WHERE pool = ${name} AND generation = ${generation}
        AND sequence > (SELECT through FROM total) AND sequence < ${first}::bigint
    ), excess AS (
      SELECT count(*) AS matches, coalesce(sum(drift), 0) AS drift, coalesce(sum(newcomers), 0) AS newcomers,
        coalesce(sum(converged), 0) AS converged
      FROM rated_match WHERE pool = ${name} AND generation = ${generation}
        AND sequence >= ${first}::bigint AND sequence <= (SELECT through FROM total)
    )
    SELECT (total.matches + later.matches - excess.matches)::float8 AS matches,
      total.drift + later.drift - excess.drift AS drift,
      (total.newcomers + later.newcomers - excess.newcomers)::float8 AS newcomers,
      (total.converged + later.converged - excess.converged)::float8 AS converged
    FROM total, later, excess`;
  // The difference of two equal sums of fractions may differ from 0.
  return row && row.matches > 0 ? row : { matches: 0, drift: 0, newcomers: 0, converged: 0 };
}
