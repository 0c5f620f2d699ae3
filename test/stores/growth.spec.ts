import { roleServices } from '@muster/db';
import type { MatchState } from '@muster/domain';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import {
  type MatchQuery,
  type Place,
  placesOf,
} from '../../apps/assignment/src/history/match-places.store.js';
import { migratedDatabase, TestDatabase } from '../support/database.js';
import { type Statement, statementsOf } from '../support/statements.js';
import { fillHistory, growing, pretend, rowsReadBy } from '../support/synthetic-history.js';
import type { Db } from '../support/prisma.js';

const made = { matches: 20_000, players: 5_000, recent: 20_000 };
const wanted = { matches: 10_000_000, players: 100_000, recent: 10_000_000 };

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Plan Rows': number;
  readonly Plans?: readonly Plan[];
}

/** Statements whose work is the history itself. */
const whole: readonly string[] = ['apps/rating/src/rebuilds/'];

describe('at ten million matches and 100,000 ratings', () => {
  let database: TestDatabase;
  let db: Db;
  beforeAll(async () => {
    database = new TestDatabase(await migratedDatabase(inject('postgresUrl')));
    db = database.connect(1);
    // EXPLAIN takes parameters without values only where a function sends it.
    await db.$executeRaw`
      CREATE FUNCTION plan_of(statement text) RETURNS json LANGUAGE plpgsql AS $$
      DECLARE plan json; BEGIN EXECUTE 'EXPLAIN (GENERIC_PLAN, FORMAT JSON) ' || statement INTO plan; RETURN plan; END $$`;
    await fillHistory(db, made);
    await pretend(db, made, wanted);
  });
  afterAll(() => database.close());

  const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];

  async function planOf(sql: string): Promise<Plan[]> {
    const [row] = await db.$queryRaw<{ plan: { Plan: Plan }[] }[]>`SELECT plan_of(${sql}) AS plan`;
    return (row?.plan ?? []).flatMap(({ Plan: plan }) => nodes(plan));
  }

  function problems(plan: readonly Plan[]): string[] {
    return plan.flatMap((node) => {
      const { 'Node Type': type, 'Relation Name': table = '' } = node;
      if (type === 'Seq Scan' && growing.includes(table)) return [`scans ${table}`];
      const below = (node.Plans ?? []).flatMap(nodes);
      const sorts = type === 'Sort' || type === 'Hash' || type === 'Materialize';
      const [input] = node.Plans ?? [];
      if (
        sorts &&
        input &&
        input['Plan Rows'] > 100_000 &&
        below.some((each) => growing.includes(each['Relation Name'] ?? ''))
      )
        return [`${type} of ${input['Plan Rows']} rows`];
      return [];
    });
  }

  it.each(roleServices)('no statement of %s scans or sorts what grows', async (service) => {
    const statements: Statement[] = statementsOf([
      `apps/${service}/src`,
      'libs/db/src/outbox.ts',
      'libs/platform/src/habits/habit-notes.ts',
    ]);
    const found: string[] = [];
    for (const { at, sql } of statements) {
      if (whole.some((path) => at.startsWith(path)) || !/^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(sql))
        continue;
      for (const why of problems(await planOf(sql))) found.push(`${at}: ${why}`);
    }
    expect(found).toEqual([]);
  });

  it('a statement that counts is found', async () => {
    const counts = `SELECT count(*) FROM rated_match WHERE pool = $1 AND generation = $2`;
    expect(problems(await planOf(counts))).toEqual(['scans rated_match']);
  });

  it('a page of matches is right and reads some rows for each of its matches, whatever is asked', async () => {
    const limit = 20;
    const at = (i: number): number => 1_000 * (1_500_000_000 + i);
    const matches = await db.match.findMany({ include: { players: { where: { playerId: 'old-7' } } } });
    const formed = byTime(matches, ({ formedAt }) => formedAt);
    const over = byTime(matches, ({ endedAt, closedAt }) => endedAt ?? closedAt);
    const found: string[] = [];
    // Every seventh meets every pair of conditions; `npm run test:long` asks all.
    const every = process.env['MUSTER_TEST_LONG'] ? 1 : 7;
    for (const query of queriesOf(limit, at).filter((_, i) => i % every === 0)) {
      const isOver = query.from !== undefined || query.to !== undefined;
      const page = pageOf(isOver ? over : formed, query);
      for (const mode of ['force_custom_plan', 'force_generic_plan']) {
        await db.$executeRawUnsafe(`SET plan_cache_mode = ${mode}`);
        let places: Place[] = [];
        const read = await rowsReadBy(db, async () => {
          places = await db.$sql.$queryRaw<Place[]>(placesOf(query));
        });
        if (read > 15 * limit) found.push(`${mode} ${JSON.stringify(query)}: ${read}`);
        expect(places.map(({ id }) => id)).toEqual(page);
      }
    }
    expect(found).toEqual([]);
  }, 120_000);
});

interface Stored {
  readonly id: string;
  readonly state: string;
  readonly pool: string;
  readonly formedAt: Date | null;
  readonly endedAt: Date | null;
  readonly closedAt: Date | null;
  readonly players: readonly object[];
}

/** A match with the time that a list is ordered by. */
interface Timed extends Stored {
  readonly at: number;
}

/** From the oldest to the newest; no two have a time in common. */
function byTime(matches: readonly Stored[], timeOf: (match: Stored) => Date | null): Timed[] {
  return matches
    .map((match) => ({ ...match, at: timeOf(match)?.getTime() ?? NaN }))
    .toSorted((a, b) => a.at - b.at);
}

/** The same page, by looking at one match after the other. */
function pageOf(oldestFirst: readonly Timed[], query: MatchQuery): string[] {
  const { limit, order, cursor, from = -Infinity, to = Infinity, state, pool, playerId } = query;
  const page: string[] = [];
  for (let i = 0; i < oldestFirst.length && page.length < limit; i += 1) {
    const match = oldestFirst[order === 'newest' ? oldestFirst.length - 1 - i : i];
    if (!match || match.at < from || match.at >= to) continue;
    if (cursor && (order === 'newest' ? match.at >= cursor.at : match.at <= cursor.at)) continue;
    if ((state ?? match.state) !== match.state || (pool ?? match.pool) !== match.pool) continue;
    if (playerId === undefined || match.players.length > 0) page.push(match.id);
  }
  return page;
}

const some = <K extends string, V>(key: K, values: readonly V[]): Partial<Record<K, V>>[] => [
  {},
  ...values.map((value) => ({ [key]: value }) as Partial<Record<K, V>>),
];

function queriesOf(limit: number, at: (i: number) => number): MatchQuery[] {
  const ranges = [{}, { from: at(12_000) }, { to: at(12_000) }, { from: at(8_000), to: at(18_000) }];
  const states: MatchState[] = ['formed', 'ended', 'rated', 'abandoned', 'void'];
  return (['newest', 'oldest'] as const).flatMap((order) =>
    some('state', states).flatMap((state) =>
      some('pool', ['ladder', 'second', 'strange']).flatMap((pool) =>
        some('playerId', ['old-7']).flatMap((player) =>
          some('cursor', [{ at: at(10_000), matchId: 'old-10000' }]).flatMap((cursor) =>
            ranges.map((range) => ({ limit, order, ...state, ...pool, ...player, ...cursor, ...range })),
          ),
        ),
      ),
    ),
  );
}
