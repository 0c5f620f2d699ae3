import { RatingStores } from '../support/rating-stores.js';
import { PostgresRebuilds } from '../../apps/rating/src/rebuilds/rebuilds.store.js';
import type { GivenEvent, Ids, Played, Random, ResetEvent } from '@muster/domain';
import type { Rebuild } from '../../apps/rating/src/rebuilds/rebuild.js';
import { PostgresRatings } from '../../apps/rating/src/core/ratings.store.js';
import { Rebuilds } from '../../apps/rating/src/rebuilds/rebuilds.js';
import { noon, range } from './fixtures.js';
import { ended, reported, type PlayedMatch } from './ledger-fixtures.js';
import { as } from '../support/database.js';
import type { Db } from '../support/prisma.js';

const hour = 3_600_000;
/** The lease of a rebuild. */
export const leaseMs = 15_000;

/** The minimal source of ids. */
export const countingIds = (): Ids => {
  let made = 0;
  return {
    make: (prefix) => `${prefix}_${++made}`,
    derive: (prefix, text) => `${prefix}_${text}`,
    fingerprint: (value) => JSON.stringify(value),
  };
};
const ids = countingIds();

/** The part of a process that rebuilds. */
export interface Replica {
  readonly store?: PostgresRebuilds;
  readonly holder?: string;
  readonly now?: () => number;
  /** Its messages about rebuilds. */
  readonly heard?: string[];
}

export function replica(
  db: Db,
  {
    store = new PostgresRebuilds(as('rating', db)),
    holder = 'one',
    now = () => noon,
    heard = [],
  }: Replica = {},
): Rebuilds {
  const hear = (_rebuild: Rebuild, what: string): void => void heard.push(what);
  return new Rebuilds(store, new PostgresRatings(as('rating', db)), { now }, ids, holder, leaseMs, hear);
}

/** A request without rules. */
export const withoutRules = { reason: 'a test', refit: false };

/** A rebuild from the request to its end. */
export async function rebuilt(
  db: Db,
  pool: string,
  body: Parameters<Rebuilds['request']>[1] = withoutRules,
): Promise<Rebuild> {
  const rebuilds = replica(db);
  await rebuilds.request(pool, body);
  await rebuilds.work();
  const [last] = await rebuilds.list(pool);
  if (last?.state !== 'done') throw new Error(`the rebuild is ${last?.state}: ${last?.error}`);
  return last;
}

type Step = 'events' | 'write' | 'finish';

/** A store that runs a callback before the first call of a step. */
export class Interrupted extends PostgresRebuilds {
  private readonly before: Partial<Record<Step, () => Promise<unknown>>>;

  constructor(db: Db, before: Partial<Record<Step, () => Promise<unknown>>>) {
    super(db);
    this.before = { ...before };
  }

  private async meanwhile(step: Step): Promise<void> {
    const { [step]: first } = this.before;
    delete this.before[step];
    await first?.();
  }

  override async events(
    ...args: Parameters<PostgresRebuilds['events']>
  ): ReturnType<PostgresRebuilds['events']> {
    await this.meanwhile('events');
    return super.events(...args);
  }
  override async write(...args: Parameters<PostgresRebuilds['write']>): Promise<void> {
    await this.meanwhile('write');
    return super.write(...args);
  }
  override async finish(
    ...args: Parameters<PostgresRebuilds['finish']>
  ): ReturnType<PostgresRebuilds['finish']> {
    await this.meanwhile('finish');
    return super.finish(...args);
  }
}

/** The current state of a pool, as text: equal means bit-identical. */
export interface InForce {
  readonly ratings: string[];
  readonly changes: string[];
  readonly forecasts: string[];
}

export async function inForce(db: Db, pool: string): Promise<InForce> {
  const read = async (table: string, order: string): Promise<string[]> => {
    const rows = await db.$queryRawUnsafe<{ text: string }[]>(
      `SELECT (to_jsonb(row) - ARRAY['pool', 'generation', 'updated_at'])::text AS text
       FROM "${table}" AS row JOIN rating_pool ON name = row.pool AND rating_pool.generation = row.generation
       WHERE row.pool = $1 ORDER BY ${order}`,
      pool,
    );
    return rows.map(({ text }) => text);
  };
  return {
    ratings: await read('rating', 'player_id'),
    changes: await read('rating_change', 'sequence, player_id'),
    forecasts: await read('rated_match', 'sequence'),
  };
}

/** The same without version numbers, which each rebuild with rules continues. */
export function unversioned({ ratings, changes }: InForce): Pick<InForce, 'ratings' | 'changes'> {
  return { ratings, changes: changes.map((text) => text.replace(/"version": \d+/, '')) };
}

/** Rows of generations, by table. */
export async function rowsOf(db: Db, where: { pool: string; generation: number }): Promise<number[]> {
  return [
    await db.rating.count({ where }),
    await db.ratingChange.count({ where }),
    await db.ratedMatch.count({ where }),
  ];
}

const pick = <T>(values: readonly T[], random: Random): T =>
  values[Math.floor(values.length * random())] as T;

/** Team sizes: even, uneven, free-for-all, three sides. */
const shapes = [
  [1, 1],
  [2, 2],
  [4, 4],
  [3, 3],
  [2, 3],
  [1, 3],
  [1, 1, 1],
  [1, 1, 1, 1, 1],
  [2, 2, 2],
  [1, 2, 3],
];

/** A match of any shape, with optional facts of a server. */
export function anyMatch(
  matchId: string,
  crowd: readonly string[],
  random: Random,
  sizes: readonly number[] = pick(shapes, random),
): PlayedMatch {
  const mixed = crowd.map((id) => ({ id, at: random() })).toSorted((a, b) => a.at - b.at);
  const teams = sizes.map((size) => mixed.splice(0, size).map(({ id }) => id));
  const ranks = teams.map(() => 1 + Math.floor(teams.length * random()));
  const sides = teams.map((_team, t) => (t === 0 ? 'home' : 'away'));
  const shares = Object.fromEntries(teams.flat().map((id) => [id, 0.1 + 0.9 * random()]));
  const situation = {
    sides,
    ...(random() < 0.5 ? { map: pick(['dust', 'ice'], random) } : {}),
    ...(random() < 0.5 ? { venue: pick(['north', 'south'], random) } : {}),
  };
  const played: Played = {
    ...(random() < 0.7 ? { situation } : {}),
    ...(random() < 0.3 ? { shares } : {}),
  };
  return { matchId, teams, ranks, played };
}

/** A pool with a history of events. */
export class Ladder {
  readonly ledger: RatingStores;
  private played = 0;

  constructor(
    readonly db: Db,
    readonly pool: string,
    /** The prefix of its match ids. */
    private readonly prefix = 'm',
  ) {
    this.ledger = new RatingStores(as('rating', db));
  }

  /** A match of the coordinator, with friends on one ticket, or a reported one. */
  async play(match: PlayedMatch, by: 'coordinator' | 'report' = 'report'): Promise<void> {
    const at = noon + hour * this.played++;
    if (by === 'report') {
      await this.ledger.reports.rate(reported(match, { pool: this.pool, playedAt: at }), at);
      return;
    }
    const place = new Map(match.teams.flatMap((team) => team.map((id, p) => [id, p] as const)));
    const ticketOf = (id: string): string => {
      const team = match.teams.findIndex((ids_) => ids_.includes(id));
      return `tkt-${match.matchId}-${team}-${Math.floor((place.get(id) ?? 0) / 2)}`;
    };
    await ended(this.db, match, { pool: this.pool, endedAt: at, ticketOf });
    await this.ledger.matches.rate(match.matchId, at);
  }

  /** Advances time by one match. */
  pass(): void {
    this.played++;
  }

  /** `count` matches of any shape, every third by the coordinator, several concurrently. */
  async season(
    count: number,
    random: Random,
    {
      crowd = range(24).map((i) => `p${i}`),
      sizes,
    }: { crowd?: readonly string[]; sizes?: readonly number[] } = {},
  ): Promise<void> {
    const first = this.played;
    const matches = range(count).map((i) => anyMatch(`${this.prefix}${first + i}`, crowd, random, sizes));
    const queue = [...matches.entries()];
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift())
        await this.play(next[1], next[0] % 3 === 0 ? 'coordinator' : 'report');
    };
    await Promise.all(range(4).map(work));
  }

  async give(
    kind: GivenEvent['kind'] | ResetEvent['kind'],
    eventId: string,
    playerId: string,
    level = 0.5,
  ): Promise<void> {
    const { rules } = await this.ledger.ratings.pool(this.pool);
    const said = { eventId, at: noon, playerId, by: 'olga', reason: 'said so' };
    const event: GivenEvent | ResetEvent =
      kind === 'reset'
        ? { kind, ...said }
        : // In other units than the pool's, so that the distance from the start value applies.
          { kind, ...said, mu: level, sigma: 1, model: `not ${rules.model}`, level, doubt: 0.5 };
    await this.ledger.ratings.record(this.pool, event, noon);
  }
}
