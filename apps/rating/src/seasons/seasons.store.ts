import { ratingsChangedJob } from '@muster/contracts';
import { type Db, enqueueAfterCommit, type Sql, transact, sqlPart } from '@muster/db';
import {
  SeasonConflict,
  type RankedStanding,
  type RatingPool,
  type Season,
  type SeasonEvent,
  type SeasonRules,
} from '@muster/domain';
import { rankableSql } from './rankable.store.js';
import { takePool } from '../core/apply.store.js';
import { detailOf } from '../core/events.store.js';
import { readPool } from '../core/pool-rows.store.js';
import { seasonOf } from '../core/season.js';
import {
  newSeason,
  refuseChangeAtStart,
  refuseOther,
  refusePast,
  type GivenSeason,
  type NewSeason,
  type StoredSeason,
} from './new-season.js';

const columns = sqlPart`pool, number, name, rules, by, reason, (extract(epoch FROM starts_at) * 1000)::float8 AS "startsAt",
  (extract(epoch FROM started_at) * 1000)::float8 AS "startedAt", (extract(epoch FROM ended_at) * 1000)::float8 AS "endedAt",
  (extract(epoch FROM archived_at) * 1000)::float8 AS "archivedAt", ranked`;

/** The rules of the time before the first season, which began with nothing. */
const unchanged: SeasonRules = { keep: 1, uncertainty: 0, placementMatches: 0 };

/** The seasons of pools. */
export class PostgresSeasons {
  constructor(
    private readonly db: Db,
    /** Is told that jobs wait in the outbox. */
    private readonly committed: () => void = () => undefined,
  ) {}

  /** The seasons of a pool, newest first. */
  async list(pool: string): Promise<StoredSeason[]> {
    return this.db.$sql.$queryRaw<StoredSeason[]>`
      SELECT ${columns}
      FROM season WHERE pool = ${pool} ORDER BY number DESC LIMIT 1000`;
  }

  async one(pool: string, number: number): Promise<StoredSeason | null> {
    return readSeason(this.db.$sql, pool, number);
  }

  /**
   * Announces a season, or changes the announcement.
   *
   * @param startsAt milliseconds since the epoch
   * @returns the season; as it is, if it has begun before
   * @throws SeasonConflict when it is not the next one, or has begun with other content; PoolInvalid without season rules
   */
  announce(given: GivenSeason, startsAt: number): Promise<StoredSeason> {
    return transact(this.db, async (tx) => {
      const { pool, known, isBegun } = await turnOf(tx, { ...given, startsAt });
      if (isBegun) return known;
      const { name, number, rules, by, reason } = newSeason(pool, given, known);
      const [row] = await tx.$queryRaw<StoredSeason[]>`
        INSERT INTO season (pool, number, name, rules, by, reason, starts_at)
        VALUES (${pool.name}, ${number}, ${name}, ${JSON.stringify(rules)}::jsonb, ${by}, ${reason}, ${new Date(startsAt)})
        ON CONFLICT (pool, number) DO UPDATE SET name = EXCLUDED.name, rules = EXCLUDED.rules, by = EXCLUDED.by,
          reason = EXCLUDED.reason, starts_at = EXCLUDED.starts_at
        RETURNING ${columns}`;
      if (!row) throw new Error('the season was not written');
      return row;
    });
  }

  /** Removes an announcement. @returns false if there is none */
  async withdraw(pool: string, number: number): Promise<boolean> {
    const count = await this.db.$sql.$executeRaw`
      DELETE FROM season WHERE pool = ${pool} AND number = ${number} AND started_at IS NULL AND ended_at IS NULL`;
    return count === 1;
  }

  /**
   * Begins a season: one event of the ledger, and the end of the season before. Results wait for this moment, so each is rated
   * before it or after it. No rating is written.
   *
   * @returns the season; as it is, if it has begun before
   * @throws SeasonConflict when it is not the next one, or has begun with other content; PoolInvalid without season rules;
   *   TimePast when `startsAt` is long past and was not announced
   */
  async begin(given: GivenSeason, now: number): Promise<StoredSeason> {
    const season = await transact(this.db, async (tx) => {
      const { pool, known, isBegun } = await turnOf(tx, given);
      if (isBegun) return known;
      refusePast(given, known, now);
      refuseChangeAtStart(known, given);
      return writeBeginning(tx, pool, newSeason(pool, given, known), given.startsAt ?? null, now);
    });
    this.committed();
    return season;
  }

  /** Begins announced seasons whose time has come. @returns those that began */
  async beginDue(now: number): Promise<StoredSeason[]> {
    const due = await this.db.$sql.$queryRaw<StoredSeason[]>`
      SELECT ${columns}
      FROM season WHERE archived_at IS NULL AND started_at IS NULL AND starts_at <= ${new Date(now)} LIMIT 10`;
    const begun: StoredSeason[] = [];
    for (const row of due) {
      const season = await transact(this.db, async (tx) => {
        await takePool(tx, row.pool);
        // It may have been withdrawn or changed since.
        const still = await readSeason(tx, row.pool, row.number);
        if (!still || still.startedAt !== null || (still.startsAt ?? Infinity) > now) return null;
        const pool = await readPool(tx, row.pool);
        assertNext(pool, row.number);
        return writeBeginning(tx, pool, still, still.startsAt, now);
      });
      if (season) begun.push(season);
    }
    if (begun.length > 0) this.committed();
    return begun;
  }

  /** Final standings with a rank, in its order. Erased players are left out, and others keep their ranks. Bots have a rank where an earlier release archived. */
  async ranked(pool: string, season: number, from: number, limit: number): Promise<RankedStanding[]> {
    return this.db.$sql.$queryRaw<RankedStanding[]>`
      SELECT rank, player_id AS "playerId", division, hidden, matches, mu, sigma FROM season_standing
      WHERE pool = ${pool} AND season = ${season} AND rank >= ${from} AND ${rankableSql} ORDER BY rank, player_id LIMIT ${limit}`;
  }

  /** The final standings of some players. */
  async standingsOf(pool: string, season: number, playerIds: readonly string[]): Promise<RankedStanding[]> {
    return this.db.$sql.$queryRaw<RankedStanding[]>`
      SELECT rank, player_id AS "playerId", division, hidden, matches, mu, sigma FROM season_standing
      WHERE pool = ${pool} AND season = ${season} AND player_id = ANY(${[...playerIds]}::text[]) AND ${rankableSql} ORDER BY rank, player_id`;
  }
}

type Turn =
  | { readonly isBegun: true; readonly pool: RatingPool; readonly known: StoredSeason }
  | { readonly isBegun: false; readonly pool: RatingPool; readonly known: StoredSeason | null };

/** Takes a pool for its next season. @throws SeasonConflict when it is another one, or has begun with other content */
async function turnOf(tx: Sql, given: GivenSeason): Promise<Turn> {
  await takePool(tx, given.pool);
  const known = await readSeason(tx, given.pool, given.number);
  const pool = await readPool(tx, given.pool);
  if (known && known.startedAt !== null) {
    refuseOther(known, given, nextOf(pool));
    return { isBegun: true, pool, known };
  }
  assertNext(pool, given.number);
  return { isBegun: false, pool, known };
}

/** Writes the event of a season's start, the season, and the end of the one before, whose archive can begin. */
async function writeBeginning(
  tx: Sql,
  pool: RatingPool,
  { number, name: title, rules, by, reason }: NewSeason,
  startsAt: number | null,
  now: number,
): Promise<StoredSeason> {
  const { name, generation, version, seasons = [] } = pool;
  const event: SeasonEvent = {
    kind: 'season',
    eventId: `season-${number}`,
    at: now,
    number,
    name: title,
    rules,
    everyPart: true,
    by,
    reason,
  };
  const at = new Date(now);
  const [numbered] = await tx.$queryRaw<{ sequence: bigint }[]>`
    INSERT INTO rating_event (sequence, pool, kind, event_id, at, detail)
    VALUES (nextval('ledger_sequence'), ${name}, 'season', ${event.eventId}, ${at}, ${detailOf(event)}::jsonb) RETURNING sequence`;
  const all: Season[] = [...seasons, seasonOf(event, Number(numbered?.sequence ?? 0))];
  await tx.$executeRaw`UPDATE rating_pool SET seasons = ${JSON.stringify(all)}::jsonb WHERE name = ${name}`;
  const [row] = await tx.$queryRaw<StoredSeason[]>`
    INSERT INTO season (pool, number, name, rules, by, reason, starts_at, started_at)
    VALUES (${name}, ${number}, ${title}, ${JSON.stringify(rules)}::jsonb, ${by}, ${reason},
      ${startsAt === null ? null : new Date(startsAt)}::timestamptz, ${at})
    ON CONFLICT (pool, number) DO UPDATE SET name = EXCLUDED.name, rules = EXCLUDED.rules, by = EXCLUDED.by,
      reason = EXCLUDED.reason, starts_at = coalesce(EXCLUDED.starts_at, season.starts_at), started_at = EXCLUDED.started_at
    RETURNING ${columns}`;
  await tx.$executeRaw`
    INSERT INTO season (pool, number, name, rules, by, reason, ended_at, generation, version, read_through)
    VALUES (${name}, ${number - 1}, 'Before the first season', ${JSON.stringify(unchanged)}::jsonb, ${by}, 'Matches before the first season.', ${at},
      ${generation}, ${version}, '')
    ON CONFLICT (pool, number) DO UPDATE SET ended_at = EXCLUDED.ended_at, generation = EXCLUDED.generation,
      version = EXCLUDED.version, read_through = EXCLUDED.read_through`;
  if (!row) throw new Error('the season was not written');
  await enqueueAfterCommit(tx, 'rating', [ratingsChangedJob(name, null, event.eventId)]);
  return row;
}

const nextOf = ({ seasons = [] }: RatingPool): number => seasons.length + 1;

function assertNext(pool: RatingPool, number: number): void {
  const { name } = pool;
  const next = nextOf(pool);
  if (number === next) return;
  throw new SeasonConflict(
    number < next
      ? `Season ${number} of "${name}" has begun; the next one is season ${next}.`
      : `Season ${number} of "${name}" cannot begin before season ${next}.`,
    { pool: name, next },
  );
}

async function readSeason(db: Sql, pool: string, number: number): Promise<StoredSeason | null> {
  const [row] = await db.$queryRaw<StoredSeason[]>`
    SELECT ${columns}
    FROM season WHERE pool = ${pool} AND number = ${number}`;
  return row ?? null;
}
