import { type Db, type Sql, transact } from '@muster/db';
import {
  SeasonConflict,
  type NewSeason,
  type RankedStanding,
  type RatingPool,
  type Season,
  type SeasonEvent,
  type SeasonRules,
  type SeasonStore,
  type StoredSeason,
} from '@muster/domain';
import { rankableSql } from '../leaderboards/rankable.store.js';
import { takePool } from '../ledger/apply.store.js';
import { detailOf } from '../ledger/events.store.js';
import { readPool } from '../pools/pools.store.js';
import { seasonOf } from './season.js';

interface SeasonRow {
  pool: string;
  number: number;
  name: string;
  rules: unknown;
  by: string;
  reason: string;
  starts_at: Date | null;
  started_at: Date | null;
  ended_at: Date | null;
  archived_at: Date | null;
  ranked: number;
}

/** The rules of the time before the first season, which began with nothing. */
const unchanged: SeasonRules = { keep: 1, uncertainty: 0, placementMatches: 0 };

/** The seasons of pools. */
export class PostgresSeasonStore implements SeasonStore {
  constructor(private readonly db: Db) {}

  async list(pool: string): Promise<StoredSeason[]> {
    const rows = await this.db.$sql.$queryRaw<SeasonRow[]>`
      SELECT pool, number, name, rules, by, reason, starts_at, started_at, ended_at, archived_at, ranked
      FROM season WHERE pool = ${pool} ORDER BY number DESC LIMIT 1000`;
    return rows.map(asSeason);
  }

  async one(pool: string, number: number): Promise<StoredSeason | null> {
    return readSeason(this.db.$sql, pool, number);
  }

  announce(season: NewSeason, startsAt: number): Promise<StoredSeason> {
    const { pool, number, name, rules, by, reason } = season;
    return transact(this.db, async (tx) => {
      await takePool(tx, pool);
      assertNext(await readPool(tx, pool), number);
      const [row] = await tx.$queryRaw<SeasonRow[]>`
        INSERT INTO season (pool, number, name, rules, by, reason, starts_at)
        VALUES (${pool}, ${number}, ${name}, ${JSON.stringify(rules)}::jsonb, ${by}, ${reason}, ${new Date(startsAt)})
        ON CONFLICT (pool, number) DO UPDATE SET name = EXCLUDED.name, rules = EXCLUDED.rules, by = EXCLUDED.by,
          reason = EXCLUDED.reason, starts_at = EXCLUDED.starts_at
        RETURNING pool, number, name, rules, by, reason, starts_at, started_at, ended_at, archived_at, ranked`;
      if (!row) throw new Error('the season was not written');
      return asSeason(row);
    });
  }

  async withdraw(pool: string, number: number): Promise<boolean> {
    const count = await this.db.$sql.$executeRaw`
      DELETE FROM season WHERE pool = ${pool} AND number = ${number} AND started_at IS NULL AND ended_at IS NULL`;
    return count === 1;
  }

  begin(season: NewSeason, now: number): Promise<StoredSeason> {
    return transact(this.db, (tx) => this.beginIn(tx, season, now));
  }

  private async beginIn(tx: Sql, season: NewSeason, now: number): Promise<StoredSeason> {
    const { pool: name, number } = season;
    await takePool(tx, name);
    const known = await readSeason(tx, name, number);
    if (known && known.startedAt !== null) return known;
    const pool = await readPool(tx, name);
    assertNext(pool, number);
    const event: SeasonEvent = {
      kind: 'season',
      eventId: `season-${number}`,
      at: now,
      number,
      name: season.name,
      rules: season.rules,
      by: season.by,
      reason: season.reason,
    };
    await writeBeginning(tx, pool, season, event);
    const begun = await readSeason(tx, name, number);
    if (!begun) throw new Error('the season was not written');
    return begun;
  }

  async beginDue(now: number): Promise<StoredSeason[]> {
    const due = await this.db.$sql.$queryRaw<SeasonRow[]>`
      SELECT pool, number, name, rules, by, reason, starts_at, started_at, ended_at, archived_at, ranked
      FROM season WHERE archived_at IS NULL AND started_at IS NULL AND starts_at <= ${new Date(now)} LIMIT 10`;
    const begun: StoredSeason[] = [];
    for (const row of due) {
      const season = await transact(this.db, async (tx) => {
        await takePool(tx, row.pool);
        // It may have been withdrawn or changed since.
        const still = await readSeason(tx, row.pool, row.number);
        if (!still || still.startedAt !== null || (still.startsAt ?? Infinity) > now) return null;
        return this.beginIn(tx, still, now);
      });
      if (season) begun.push(season);
    }
    return begun;
  }

  /** Erased players are left out, and others keep their ranks. Bots have a rank where an earlier release archived. */
  async ranked(pool: string, season: number, from: number, limit: number): Promise<RankedStanding[]> {
    return this.db.$sql.$queryRaw<RankedStanding[]>`
      SELECT rank, player_id AS "playerId", division, hidden, matches, mu, sigma FROM season_standing
      WHERE pool = ${pool} AND season = ${season} AND rank >= ${from} AND ${rankableSql} ORDER BY rank, player_id LIMIT ${limit}`;
  }

  async standingsOf(pool: string, season: number, playerIds: readonly string[]): Promise<RankedStanding[]> {
    return this.db.$sql.$queryRaw<RankedStanding[]>`
      SELECT rank, player_id AS "playerId", division, hidden, matches, mu, sigma FROM season_standing
      WHERE pool = ${pool} AND season = ${season} AND player_id = ANY(${[...playerIds]}::text[]) AND ${rankableSql} ORDER BY rank, player_id`;
  }
}

/** Writes the event of a season's start, the season, and the end of the one before, whose archive can begin. */
async function writeBeginning(
  tx: Sql,
  pool: RatingPool,
  season: NewSeason,
  event: SeasonEvent,
): Promise<void> {
  const { name, generation, version, seasons = [] } = pool;
  const at = new Date(event.at);
  const [numbered] = await tx.$queryRaw<{ sequence: bigint }[]>`
    INSERT INTO rating_event (sequence, pool, kind, event_id, at, detail)
    VALUES (nextval('ledger_sequence'), ${name}, 'season', ${event.eventId}, ${at}, ${detailOf(event)}::jsonb) RETURNING sequence`;
  const all: Season[] = [...seasons, seasonOf(event, Number(numbered?.sequence ?? 0))];
  await tx.$executeRaw`UPDATE rating_pool SET seasons = ${JSON.stringify(all)}::jsonb WHERE name = ${name}`;
  await tx.$executeRaw`
    INSERT INTO season (pool, number, name, rules, by, reason, started_at)
    VALUES (${name}, ${event.number}, ${event.name}, ${JSON.stringify(event.rules)}::jsonb, ${season.by}, ${season.reason}, ${at})
    ON CONFLICT (pool, number) DO UPDATE SET name = EXCLUDED.name, rules = EXCLUDED.rules, by = EXCLUDED.by,
      reason = EXCLUDED.reason, started_at = EXCLUDED.started_at`;
  await tx.$executeRaw`
    INSERT INTO season (pool, number, name, rules, by, reason, ended_at, generation, version, read_through)
    VALUES (${name}, ${event.number - 1}, 'Before the first season', ${JSON.stringify(unchanged)}::jsonb, ${season.by}, ${season.reason}, ${at},
      ${generation}, ${version}, '')
    ON CONFLICT (pool, number) DO UPDATE SET ended_at = EXCLUDED.ended_at, generation = EXCLUDED.generation,
      version = EXCLUDED.version, read_through = EXCLUDED.read_through`;
}

function assertNext({ name, seasons = [] }: RatingPool, number: number): void {
  const next = seasons.length + 1;
  if (number === next) return;
  throw new SeasonConflict(
    number < next
      ? `Season ${number} of "${name}" has begun; the next one is season ${next}.`
      : `Season ${number} of "${name}" cannot begin before season ${next}.`,
    { pool: name, next },
  );
}

async function readSeason(db: Sql, pool: string, number: number): Promise<StoredSeason | null> {
  const [row] = await db.$queryRaw<SeasonRow[]>`
    SELECT pool, number, name, rules, by, reason, starts_at, started_at, ended_at, archived_at, ranked
    FROM season WHERE pool = ${pool} AND number = ${number}`;
  return row ? asSeason(row) : null;
}

function asSeason(row: SeasonRow): StoredSeason {
  const { pool, number, name, by, reason, ranked } = row;
  return {
    pool,
    number,
    name,
    // Only this file writes the column, from values of this type.
    rules: row.rules as SeasonRules,
    by,
    reason,
    startsAt: row.starts_at?.getTime() ?? null,
    startedAt: row.started_at?.getTime() ?? null,
    endedAt: row.ended_at?.getTime() ?? null,
    archivedAt: row.archived_at?.getTime() ?? null,
    ranked,
  };
}
