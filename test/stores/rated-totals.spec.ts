import type { RatedBefore, RatingPool } from '@muster/domain';
import { beforeEach, describe, expect, it } from 'vitest';
import { RatingStores } from '../support/rating-stores.js';
import { as } from '../support/database.js';
import { databaseForEach, noon, range } from './fixtures.js';
import { addAllToTotals, aPool, reported } from './ledger-fixtures.js';
import { rebuilt } from './rebuild-fixtures.js';
import type { Db } from '../support/prisma.js';

const data = databaseForEach();

class Signal {
  give: () => void = () => undefined;
  readonly given = new Promise<void>((resolve) => (this.give = resolve));
}

describe('totals over rated matches', () => {
  let db: Db;
  let ledger: RatingStores;
  let rated = 0;
  beforeEach(async () => {
    ({ db } = data());
    ledger = new RatingStores(as('rating', db));
    rated = 0;
    await ledger.pools.create(aPool());
  });

  const pool = (): Promise<RatingPool> => ledger.ratings.pool('ladder');

  async function rate(count: number): Promise<void> {
    for (const _ of range(count)) {
      const teams = [[`p${rated % 5}`], [`p${(rated % 5) + 1}`]];
      const match = reported({ matchId: `r${++rated}`, teams, ranks: [1, 2] });
      await ledger.reports.rate(match, noon);
    }
  }

  /** The same read from all matches. */
  async function counted({ name, generation }: RatingPool, page: number): Promise<RatedBefore> {
    const rows = await db.ratedMatch.findMany({
      where: { pool: name, generation },
      orderBy: { sequence: 'desc' },
      skip: page,
    });
    const sum = (of: (row: (typeof rows)[number]) => number): number =>
      rows.reduce((total, row) => total + of(row), 0);
    return {
      matches: rows.length,
      drift: sum(({ drift }) => drift),
      newcomers: sum(({ newcomers }) => newcomers),
      converged: sum(({ converged }) => converged),
    };
  }

  async function expectExact(): Promise<void> {
    const current = await pool();
    for (const page of [1, 2, 3, 5, 8, 100]) {
      const { before, matches } = await ledger.rated.latest(current, page);
      const predicted = matches.map(({ ranks, chances }) => ({ ranks, chances }));
      expect(await ledger.rated.predictions(current, page)).toEqual(predicted.toReversed());
      expect(Number(await ledger.rated.newest(current))).toBe(matches.at(-1)?.sequence ?? 0);
      const { drift, ...others } = await counted(current, page);
      expect(before).toMatchObject(others);
      expect(before.drift).toBeCloseTo(drift, 9);
    }
    const { name, generation, version } = current;
    expect(await ledger.rated.count(current)).toEqual({
      matches: await db.ratedMatch.count({ where: { pool: name, generation } }),
      underVersion: await db.ratedMatch.count({ where: { pool: name, generation, version } }),
    });
  }

  const addAll = (limit = 100): Promise<void> => addAllToTotals(db, ledger, limit);

  /** As often as nothing would be left if the transactions of before were over. */
  async function addSome(): Promise<void> {
    for (const _ of range(5)) await ledger.rated.addToTotals(100);
  }

  const stored = async (): Promise<number> =>
    (await db.ratedTotal.findMany()).reduce((sum, { matches }) => sum + Number(matches), 0);

  it('are exact at any time, whatever has been added', async () => {
    await expectExact();
    for (const _ of range(6)) {
      await rate(4);
      await expectExact();
      await ledger.rated.addToTotals(3);
      await expectExact();
    }
    await addAll(5);
    expect(await stored()).toBe(24);
    await expectExact();
  });

  it('count the matches of the newest version apart', async () => {
    for (const calls of [0, 1, 2, 3]) {
      await rate(3);
      const current = await pool();
      await ledger.pools.change(current, { ...current.rules }, current.calibration, 'again');
      await rate(2);
      for (const _ of range(calls)) await ledger.rated.addToTotals(2);
      await expectExact();
    }
    await addAll(2);
    await expectExact();
    expect(await ledger.rated.count(await pool())).toEqual({ matches: 20, underVersion: 2 });
  });

  it('miss no match that is committed after matches with higher sequences', async () => {
    await rate(2);
    const other = data().connect(1);
    const [written, committed] = [new Signal(), new Signal()];
    const late = other.$transaction(
      async (tx) => {
        // As raters do: a row is locked before the sequence is drawn.
        await tx.$executeRaw`UPDATE rating SET updated_at = now() WHERE player_id = 'p0'`;
        await tx.$executeRaw`
          INSERT INTO rated_match (pool, generation, sequence, version, at, ranks, raw, chances, features, drift, newcomers, converged)
          SELECT pool, generation, nextval('ledger_sequence'), version, at, ranks, raw, chances, features, 0.5, newcomers, converged
          FROM rated_match LIMIT 1`;
        written.give();
        await committed.given;
      },
      { timeout: 60_000 },
    );
    await written.given;
    // Players apart from the one that is locked.
    const match = reported({ matchId: 'later', teams: [['ann'], ['bob']], ranks: [1, 2] });
    await ledger.reports.rate(match, noon);
    await addSome();
    await expectExact();
    committed.give();
    await late;
    await addAll();
    expect(await stored()).toBe(4);
    await expectExact();
  });

  it('are added once by two replicas', async () => {
    const other = new RatingStores(data().as('rating'));
    await rate(30);
    await ledger.rated.addToTotals(4);
    while (
      (
        await Promise.all([
          ledger.rated.addToTotals(4),
          other.rated.addToTotals(4),
          ledger.rated.addToTotals(4),
        ])
      ).some(Boolean)
    );
    await addAll(4);
    expect(await stored()).toBe(30);
    await expectExact();
  });

  it('start anew with a rebuilt generation', async () => {
    await rate(5);
    await addAll();
    await rebuilt(db, 'ladder');
    await expectExact();
    await rate(2);
    await addAll();
    await expectExact();
    expect(await ledger.rated.count(await pool())).toMatchObject({ matches: 7 });
  });

  it('go on in a copy of the database whose server counts transactions from a lower number', async () => {
    await rate(3);
    await ledger.rated.addToTotals(10);
    await db.$executeRaw`UPDATE rated_total SET mark_xid = 1000000000000`;
    await addAll();
    expect(await stored()).toBe(3);
  });
});
