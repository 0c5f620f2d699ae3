import { decideReport, message, type KnownReport, type ReportedMatch } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RatingStores } from '../support/rating-stores.js';
import { as } from '../support/database.js';
import { databaseForEach, noon, range } from './fixtures.js';
import { aPool, reported } from './ledger-fixtures.js';
import type { Db } from '../support/prisma.js';

const data = databaseForEach();

/** A report as data: of which match, and who won. */
interface Explanation {
  readonly nth: number;
  readonly winner: 0 | 1;
}
/** Reports that one caller after the other, or all at once, make. */
interface Moment {
  readonly reports: readonly Explanation[];
  /** Whether they come by two replicas. */
  readonly apart: boolean;
  /** A match that an operator declares void before. */
  readonly voided: number | null;
}

const players = ['ann', 'bob', 'cid'];
function matchOf({ nth, winner }: Explanation): ReportedMatch {
  const teams = [[players[nth % 3] ?? ''], [players[(nth + 1) % 3] ?? '']];
  return reported({ matchId: `m${nth}`, teams, ranks: winner === 0 ? [1, 2] : [2, 1] });
}

const said = fc.record({ nth: fc.nat({ max: 3 }), winner: fc.constantFrom(0 as const, 1 as const) });
const moments = fc.array(
  fc.record({
    reports: fc.oneof(
      fc.array(said, { minLength: 1, maxLength: 4 }),
      fc.array(said, { minLength: 20, maxLength: 40 }),
    ),
    apart: fc.boolean(),
    voided: fc.option(fc.nat({ max: 3 })),
  }),
  { minLength: 1, maxLength: 4 },
);

const noAnswer = { outcome: 'none', prediction: [] };

/** What counts, and what is kept for operators. */
interface Model {
  readonly counted: Map<string, KnownReport & { readonly ranks: readonly number[] }>;
  readonly conflicts: Set<string>;
}

type Answer = readonly [ReportedMatch, { readonly outcome: string; readonly prediction: readonly number[] }];

/** Takes the answers to reports that came at once: in whichever order, the first of each match counts. */
function take({ counted, conflicts }: Model, answers: readonly Answer[]): void {
  for (const [match, { outcome, prediction }] of answers) {
    if (outcome !== 'rated') continue;
    expect(counted.has(match.externalId), `${match.externalId} counts twice`).toBe(false);
    const { matchId, digest, ranks } = match;
    counted.set(match.externalId, { matchId, digest, prediction, ranks });
  }
  for (const [match, answer] of answers) {
    if (answer.outcome === 'rated') continue;
    const { outcome, changes } = decideReport(counted.get(match.externalId) ?? null, match, noon);
    expect(answer).toEqual(outcome);
    if (changes?.conflict) conflicts.add(`${changes.matchId} ${changes.conflict.digest}`);
  }
}

async function happen(
  model: Model,
  replicas: readonly Db[],
  { reports, apart, voided }: Moment,
): Promise<void> {
  const { db } = data();
  const [first, second] = replicas.map((each) => new RatingStores(as('rating', each)));
  if (!first || !second) throw new Error('there are two replicas');
  if (voided !== null) {
    const byOperator = { by: 'olga', reason: 'x', rebuildId: 'r' };
    const { outcome } = await first.matches.void(`m${voided}`, byOperator, noon);
    expect(outcome === 'unknown').toBe(!model.counted.has(`ext-m${voided}`));
  }
  const matches = reports.map(matchOf);
  const answers = await Promise.all(
    matches.map((match, i) => (apart && i % 2 === 1 ? second : first).reports.rate(match, noon)),
  );
  take(
    model,
    matches.map((match, i) => [match, answers[i] ?? noAnswer]),
  );
  const rows = await db.match.findMany({ select: { externalId: true, digest: true, ranks: true } });
  expect(new Map(rows.map(({ externalId, ...row }) => [externalId, row]))).toEqual(
    new Map([...model.counted].map(([id, { digest, ranks }]) => [id, { digest, ranks }])),
  );
  const events = await db.ratingEvent.findMany({ where: { kind: 'match' } });
  expect(events.map(({ eventId }) => eventId).toSorted()).toEqual(
    [...model.counted.values()].map(({ matchId }) => matchId).toSorted(),
  );
  // Every event is rated by the ranks that its match keeps.
  const ranksOf = new Map([...model.counted.values()].map(({ matchId, ranks }) => [matchId, ranks]));
  for (const { eventId, detail } of events) expect(detail).toMatchObject({ ranks: ranksOf.get(eventId) });
  const conflicts = await db.resultConflict.findMany();
  expect(conflicts.map(({ matchId, digest }) => `${matchId} ${digest}`).toSorted()).toEqual(
    [...model.conflicts].toSorted(),
  );
}

describe('reports of matches that the coordinator did not form', () => {
  it(
    'count, repeat and contradict as it is decided, in any order, many at once and of two replicas',
    { timeout: 120_000 },
    async () => {
      const second = data().connect(2);
      await fc.assert(
        fc.asyncProperty(moments, async (list) => {
          await data().reset();
          await new RatingStores(as('rating', data().db)).pools.create(aPool());
          const model: Model = { counted: new Map(), conflicts: new Set() };
          for (const moment of list) await happen(model, [data().db, second], moment);
        }),
        { numRuns: 6 },
      );
    },
  );

  it('of one match in one statement: the first that was given counts, with its own ranks', async () => {
    const db = as('rating', data().db);
    const stores = new RatingStores(db);
    await stores.pools.create(aPool());
    // More of them than Postgres sorts by insertion, which would keep their order.
    const reports = range(64).map((i) => matchOf({ nth: (i * 7) % 5, winner: i % 3 === 0 ? 0 : 1 }));
    const answers = await Promise.all(reports.map((match) => stores.reports.rate(match, noon)));
    for (const nth of range(5)) {
      const i = reports.findIndex(({ matchId }) => matchId === `m${nth}`);
      expect(answers[i]?.outcome).toBe('rated');
      const row = await data().db.match.findUniqueOrThrow({ where: { id: `m${nth}` } });
      expect(row).toMatchObject({ digest: reports[i]?.digest, ranks: reports[i]?.ranks });
    }
    const [conflict] = await data().db.resultConflict.findMany();
    expect(conflict?.messages).toEqual([
      message('result.other-known', { externalId: `ext-${conflict?.matchId}` }),
    ]);
  });
});
