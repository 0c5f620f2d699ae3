import { type Db, type Sql, transact } from '@muster/db';
import type { RatingPool } from '@muster/domain';
import { openRules } from '@muster/skill';
import { asRating, type RatingRow } from '../core/rating-rows.store.js';
import { rankableSql } from './rankable.store.js';
import { readPoolVersion } from '../core/pool-rows.store.js';
import { finalStanding } from '../core/season.js';
import { writeFinal } from '../core/final-standings.store.js';

interface Ended {
  pool: string;
  number: number;
  generation: number;
  version: number;
  read_through: string | null;
  ranked: number;
  last_mu: number | null;
  last_rank: number | null;
}

/** Rows in one transaction. */
const pageSize = 2_000;

/** The archive of final standings. */
export class SeasonArchive {
  constructor(
    private readonly db: Db,
    private readonly limit = pageSize,
  ) {}

  /**
   * Archives the next page of an ended season: first the standings, from the ratings of the generation that was in force at the
   * end, then their ranks. Ratings that were changed in a later season are not among them any more: who changed them wrote
   * their standing.
   *
   * @returns whether more can be done at once
   */
  continue(now: number): Promise<boolean> {
    return transact(this.db, async (tx) => {
      const [ended] = await tx.$queryRaw<Ended[]>`
        SELECT pool, number, generation, version, read_through, ranked, last_mu, last_rank FROM season
        WHERE archived_at IS NULL AND ended_at IS NOT NULL ORDER BY pool, number LIMIT 1 FOR UPDATE SKIP LOCKED`;
      if (!ended) return false;
      if (ended.read_through !== null) await readOn(tx, ended, ended.read_through, this.limit);
      else await rankOn(tx, ended, this.limit, now);
      return true;
    });
  }
}

async function readOn(tx: Sql, ended: Ended, after: string, limit: number): Promise<void> {
  const { pool: name, number, generation, version } = ended;
  const pool: RatingPool = { ...(await readPoolVersion(tx, name, version)), generation };
  const rows = await tx.$queryRaw<RatingRow[]>`
    SELECT player_id, state, matches, division, last_rated_at, set_at, season, season_matches, region FROM rating
    WHERE pool = ${name} AND generation = ${generation} AND player_id > ${after} ORDER BY player_id LIMIT ${limit}`;
  const open = openRules(pool.rules);
  const standings = rows.flatMap((row) => {
    // A row without a state belongs to a match that is being rated, of the next season.
    if (row.season !== number || row.state === null) return [];
    return finalStanding(open, pool.seasons, row.player_id, asRating(row)) ?? [];
  });
  if (standings.length > 0) await writeFinal(tx, pool, standings);
  const last = rows.length < limit ? null : (rows.at(-1)?.player_id ?? null);
  await tx.$executeRaw`
    UPDATE season SET read_through = ${last} WHERE pool = ${name} AND number = ${number}`;
}

/**
 * Gives the next standings their ranks. Equal means share one: those that continue the last page have its rank. Each page is
 * read from where the last one ended, past the players who were away, who keep no rank.
 */
async function rankOn(tx: Sql, ended: Ended, limit: number, now: number): Promise<void> {
  const { pool, number, ranked, last_mu: lastMu, last_rank: lastRank } = ended;
  const [page] = await tx.$queryRaw<{ many: number; mu: number | null; rank: number | null }[]>`
    WITH page AS MATERIALIZED (
      SELECT player_id, mu FROM season_standing WHERE pool = ${pool} AND season = ${number} AND rank IS NULL AND NOT hidden
        AND NOT away AND ${rankableSql} AND mu <= coalesce(${lastMu}::float8, 'Infinity')
      ORDER BY mu DESC, player_id LIMIT ${limit}::int
    ), numbered AS MATERIALIZED (
      SELECT player_id, mu,
        (CASE WHEN mu = ${lastMu}::float8 THEN ${lastRank}::int ELSE ${ranked}::int + rank() OVER (ORDER BY mu DESC) END)::int AS rank
      FROM page
    ), given AS (
      UPDATE season_standing AS standing SET rank = numbered.rank FROM numbered
      WHERE standing.pool = ${pool} AND standing.season = ${number} AND standing.player_id = numbered.player_id
        AND standing.player_id = ANY(ARRAY(SELECT player_id FROM page))
    )
    SELECT count(*)::int AS many, min(mu) AS mu, max(rank) AS rank FROM numbered`;
  const { many = 0, mu = null, rank = null } = page ?? {};
  if (many > 0)
    await tx.$executeRaw`
      UPDATE season SET ranked = ranked + ${many}::int, last_mu = ${mu}::float8, last_rank = ${rank}::int
      WHERE pool = ${pool} AND number = ${number}`;
  if (many < limit)
    await tx.$executeRaw`
      UPDATE season SET archived_at = ${new Date(now)} WHERE pool = ${pool} AND number = ${number}`;
}
