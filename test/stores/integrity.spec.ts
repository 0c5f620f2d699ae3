import { transact } from '@muster/db';
import { CaseNotFound, pseudonymOf, seededRandom, type IntegrityRules } from '@muster/domain';
import { defaultPoolRules } from '@muster/skill';
import { beforeEach, describe, expect, it } from 'vitest';
import { openCases } from '../../apps/rating/src/integrity/case-figures.store.js';
import { Cases } from '../../apps/rating/src/integrity/cases.js';
import { PostgresCases } from '../../apps/rating/src/integrity/cases.store.js';
import { IntegrityRetention } from '../../apps/rating/src/integrity/integrity-retention.store.js';
import { RaiseUncertainty } from '../../apps/rating/src/integrity/raise.store.js';
import { takePool } from '../../apps/rating/src/core/apply.store.js';
import { opened } from '../../apps/rating/src/core/open-pool.js';
import { as } from '../support/database.js';
import { blocked } from '../support/gate.js';
import { databaseForEach, noon, range } from './fixtures.js';
import { watchedAll, watcher } from './integrity-fixtures.js';
import { aPool } from './ledger-fixtures.js';
import { inForce, Ladder, rebuilt, replica } from './rebuild-fixtures.js';

const data = databaseForEach();
const hour = 3_600_000;
const day = 24 * hour;
const open = { state: 'open', limit: 100 } as const;

let ladder: Ladder;
let cases: PostgresCases;
let played = 0;

beforeEach(async () => {
  const { db } = data();
  ladder = new Ladder(db, 'ladder');
  cases = new PostgresCases(as('rating', db));
  await ladder.ledger.pools.create(aPool('ladder', { ...defaultPoolRules, integrity: { uncertainty: 0.9 } }));
});

/** Changes what the pool does with signals. */
async function rules(integrity: IntegrityRules | null): Promise<void> {
  const pool = await ladder.ledger.ratings.pool('ladder');
  await ladder.ledger.pools.change(pool, { ...pool.rules, integrity }, pool.calibration, 'a test');
}

const duel = (winner: string, loser: string): Promise<void> =>
  ladder.play({ matchId: `m${++played}`, teams: [[winner], [loser]], ranks: [1, 2] });

/** Two players who take turns against each other, and lose to strangers in between. */
async function collude(meetings = 12, ben = 'ben'): Promise<void> {
  for (const i of range(meetings)) {
    await (i % 2 === 0 ? duel('ann', ben) : duel(ben, 'ann'));
    await duel(`ann-${i}`, 'ann');
    await duel(ben, `ben-${i}`);
  }
}

const sigmaOf = async (playerId: string): Promise<{ mu: number; sigma: number }> => {
  const { pool, ratings } = await ladder.ledger.ratings.of('ladder', [playerId]);
  const { model } = opened(pool).model;
  return model.belief(model.read(ratings.get(playerId)?.state));
};

async function raiseAll(now = noon): Promise<void> {
  const raise = new RaiseUncertainty(as('rating', data().db));
  while (await raise.next(now));
}

describe('signals of integrity', () => {
  it('open one case of a subject, with what speaks for and against, whoever follows the ledger', async () => {
    const { db } = data();
    await collude();
    const found = await Promise.all([1, 2, 3].map(() => watchedAll(db, 'ladder', watcher(db, 3))));
    const [only, ...more] = await cases.list(open);
    expect(more).toEqual([]);
    expect(found.flat().map(({ caseId }) => caseId)).toEqual([only?.caseId]);
    expect(only).toMatchObject({
      pool: 'ladder',
      kind: 'collusion',
      players: ['ann', 'ben'],
      server: null,
      matches: 12,
      outdated: false,
      raised: false,
    });
    expect(only?.pro.map(({ code }) => code)).toContain('integrity.pair-met');
    expect(only?.contra.map(({ code }) => code)).toContain('integrity.pair-hours');
    expect(await cases.one(only?.caseId ?? '')).toEqual(only);
    expect(await openCases(as('rating', db))).toEqual(new Map([['collusion', 1]]));
    await cases.close(only?.caseId ?? '', { verdict: 'cleared', note: null, by: 'a test' }, noon);
    expect(await openCases(as('rating', db))).toEqual(new Map());
  });

  it('are listed after a case that exists: an unknown one is not the end of the list', async () => {
    await collude();
    await watchedAll(data().db, 'ladder');
    const list = new Cases(cases, { now: () => noon });
    const [only] = await list.list(open);
    expect(await list.list({ ...open, after: only?.caseId })).toEqual([]);
    await expect(list.list({ ...open, after: 'cas_unknown00' })).rejects.toThrow(CaseNotFound);
  });

  it('open no case about an erased player, whose matches a rebuild counts again', async () => {
    await collude(12, pseudonymOf('0123456789abcdef01'));
    expect(await watchedAll(data().db, 'ladder')).toEqual([]);
    expect(await cases.list(open)).toEqual([]);
  });

  it('count a match once, in batches of any size, and by replicas that take turns', async () => {
    const { db } = data();
    await ladder.season(60, seededRandom(7), { sizes: [2, 2] });
    const watches = (): Promise<unknown[]> =>
      db.integrityWatch.findMany({ orderBy: { subject: 'asc' }, select: { subject: true, state: true } });
    await watchedAll(db, 'ladder');
    const atOnce = await watches();
    await db.integrityWatch.deleteMany();
    await db.integrityCursor.deleteMany();
    const replicas = [watcher(db, 1), watcher(db, 4), watcher(db, 7)];
    await Promise.all(replicas.map((each) => watchedAll(db, 'ladder', each)));
    // What is stored is rounded, so it differs in the last digits.
    const matchesOf = (rows: unknown[]): unknown =>
      rows.map((row) => [
        Reflect.get(Object(row), 'subject'),
        Reflect.get(Object(Reflect.get(Object(row), 'state')), 'matches'),
      ]);
    expect(matchesOf(await watches())).toEqual(matchesOf(atOnce));
    expect(atOnce.length).toBe(24);
  });

  it('are begun once: a process that comes late leaves the cursor where another has it', async () => {
    const { db } = data();
    await ladder.season(6, seededRandom(7), { sizes: [2, 2] });
    const { generation } = await ladder.ledger.ratings.pool('ladder');
    let late: Promise<unknown> = Promise.resolve();
    await transact(as('rating', db), async (tx) => {
      await takePool(tx, 'ladder');
      late = watcher(db).follow('ladder', noon);
      await blocked(db, 1, late);
      await tx.$executeRaw`
        INSERT INTO integrity_cursor (pool, generation, through, mark, mark_xid)
        SELECT 'ladder', ${generation}::int, max(sequence), max(sequence), 0 FROM rating_event WHERE pool = 'ladder'`;
    });
    await late;
    const cursor = await db.integrityCursor.findUniqueOrThrow({ where: { pool: 'ladder' } });
    expect(cursor.through).toBeGreaterThan(0n);
  });

  it('watch nothing without rules, and look back a bounded time when they are given', async () => {
    const { db } = data();
    await rules(null);
    await collude();
    expect(await watcher(db).follow('ladder', noon)).toEqual({ opened: [], more: false });
    expect(await db.integrityCursor.count()).toBe(0);
    await rules({});
    expect(await watchedAll(db, 'ladder')).toHaveLength(1);
    await watcher(db).leave(['ladder']);
    expect(await db.integrityCursor.count()).toBe(0);
  });

  it('name a server', async () => {
    const { db } = data();
    for (const i of range(60)) {
      await duel('strong', 'weak');
      await db.match.updateMany({ where: { id: `m${played}` }, data: { serverId: 'fits' } });
      await duel(`guest-${i % 9}`, `guest-${(i + 1) % 9}`);
      await db.match.updateMany({ where: { id: `m${played}` }, data: { serverId: 'first-wins' } });
    }
    await watchedAll(db, 'ladder');
    const [found] = await cases.list({ ...open, kind: 'server' });
    expect(found).toMatchObject({ server: 'first-wins', players: [] });
  });
});

describe('a case', () => {
  it('is closed once, and its matches count no more, also after a rebuild', async () => {
    const { db } = data();
    await collude();
    await watchedAll(db, 'ladder');
    const [found] = await cases.list(open);
    const { caseId = '' } = found ?? {};
    const said = { verdict: 'cleared', note: 'Brothers.', by: 'olga' } as const;
    const closed = await cases.close(caseId, said, noon + 1);
    expect(closed).toMatchObject({
      state: 'closed',
      verdict: 'cleared',
      note: 'Brothers.',
      closedAt: noon + 1,
    });
    expect(await cases.close(caseId, { ...said, verdict: 'confirmed' }, noon + 2)).toEqual(closed);
    expect(await cases.close('cas_none', said, noon)).toBeNull();
    expect(await db.integrityWatch.count({ where: { subject: { in: ['ann', 'ben'] } } })).toBe(0);

    await collude(1);
    await watchedAll(db, 'ladder');
    await rebuilt(db, 'ladder');
    expect(await watchedAll(db, 'ladder')).toEqual([]);
    expect(await cases.list(open)).toEqual([]);
    // New matches count from the start.
    await collude();
    expect(await watchedAll(db, 'ladder')).toHaveLength(1);
    expect(await cases.list({ state: 'closed', limit: 10, player: 'ben' })).toHaveLength(1);
  });

  it('says that it is outdated when a rebuild left its matches out, and is renewed when it is found again', async () => {
    const { db } = data();
    await rules({});
    await collude();
    await watchedAll(db, 'ladder');
    await rebuilt(db, 'ladder');
    expect(await cases.list(open)).toMatchObject([{ outdated: true }]);
    expect(await watchedAll(db, 'ladder')).toEqual([]);
    expect(await cases.list(open)).toMatchObject([{ outdated: false, matches: 12 }]);

    const said = { by: 'olga', reason: 'agreed', rebuildId: 'rbd_voids' };
    for (const i of range(played)) await ladder.ledger.matches.void(`m${i + 1}`, said, noon);
    // Voiding asked for the rebuild.
    await replica(db).work();
    await watchedAll(db, 'ladder');
    expect(await cases.list(open)).toMatchObject([{ outdated: true }]);
  });

  it('is listed by pool, kind and player, page by page', async () => {
    const { db } = data();
    await db.integrityCase.createMany({
      data: range(5).map((i) => ({
        id: `cas_${i}`,
        pool: 'ladder',
        kind: i % 2 === 0 ? 'thrown' : 'newcomer',
        subject: `p${i}`,
        players: [`p${i}`],
        state: 'open',
        evidence: 300,
        byChance: 0.003,
        matches: 9,
        matchId: 'm1',
        sequence: 1,
        pro: [{ code: 'integrity.from-a-newer-release', params: {}, text: 'Said later.' }],
        contra: [],
        generation: 1,
        openedAt: new Date(noon + Math.floor(i / 2)),
        updatedAt: new Date(noon),
        raise: 'none',
      })),
    });
    const listed = async (query: object): Promise<string[]> =>
      (await cases.list({ ...open, ...query })).map(({ caseId }) => caseId);
    expect(await listed({})).toEqual(['cas_4', 'cas_3', 'cas_2', 'cas_1', 'cas_0']);
    expect(await listed({ limit: 2, after: 'cas_3' })).toEqual(['cas_2', 'cas_1']);
    expect(await listed({ kind: 'newcomer', pool: 'ladder' })).toEqual(['cas_3', 'cas_1']);
    expect(await listed({ player: 'p2' })).toEqual(['cas_2']);
    expect(await listed({ pool: 'duel' })).toEqual([]);
    // The words of a newer release are kept.
    expect((await cases.one('cas_1'))?.pro).toEqual([{ code: 'verbatim', params: { text: 'Said later.' } }]);
  });
});

describe('uncertainty raised by signals', () => {
  it('reaches the bound of the pool and no mean changes, live and after a rebuild, to the bit', async () => {
    const { db } = data();
    await collude();
    await watchedAll(db, 'ladder');
    const before = await sigmaOf('ann');
    await Promise.all([raiseAll(), raiseAll()]);
    const { start } = opened(await ladder.ledger.ratings.pool('ladder'));
    const after = await sigmaOf('ann');
    expect(after.mu).toBe(before.mu);
    expect(before.sigma).toBeLessThan(0.9 * start.sigma);
    expect(after.sigma).toBeCloseTo(0.9 * start.sigma, 12);
    expect(await cases.list(open)).toMatchObject([{ raised: true }]);
    expect(await db.ratingEvent.count({ where: { kind: 'signal' } })).toBe(2);
    const history = await ladder.ledger.history.of(await ladder.ledger.ratings.pool('ladder'), 'ann', 1);
    expect(history).toMatchObject([
      { kind: 'signal', by: 'integrity', messages: [{ code: 'rating.signal' }] },
    ]);

    await collude(2);
    const live = await inForce(db, 'ladder');
    await rebuilt(db, 'ladder');
    expect(await inForce(db, 'ladder')).toEqual(live);
  });

  it('happens to a player once in the time that the pool says', async () => {
    const { db } = data();
    await rules({ uncertainty: 0.9, everyDays: 2 });
    const signals = (): Promise<number> => db.ratingEvent.count({ where: { kind: 'signal' } });
    for (const [at, events] of [
      [noon, 2],
      [noon + day, 2],
      [noon + 2 * day + 1, 4],
    ] as const) {
      await collude();
      await watchedAll(db, 'ladder', watcher(db), at);
      await raiseAll(at);
      expect(await signals()).toBe(events);
      for (const { caseId } of await cases.list(open))
        await cases.close(caseId, { verdict: 'unclear', note: null, by: 'olga' }, at);
    }
  });

  it('does not happen where the pool only watches', async () => {
    const { db } = data();
    await collude();
    await watchedAll(db, 'ladder');
    await rules({});
    await raiseAll();
    expect(await db.ratingEvent.count({ where: { kind: 'signal' } })).toBe(0);
    expect(await cases.list(open)).toMatchObject([{ raised: false }]);
  });
});

describe('retention of integrity', () => {
  it('deletes old evidence and old closed cases in batches, and no open case', async () => {
    const { db } = data();
    await collude();
    await watchedAll(db, 'ladder', watcher(db), noon);
    const retention = new IntegrityRetention(as('rating', db));
    expect(await retention.deleteEvidence(noon, 5)).toBe(false);
    const all = await db.integrityWatch.count();
    expect(await retention.deleteEvidence(noon + 1, 5)).toBe(true);
    expect(await db.integrityWatch.count()).toBe(all - 5);
    expect(await retention.deleteCases(noon + day, 5)).toBe(false);
    const [found] = await cases.list(open);
    await cases.close(found?.caseId ?? '', { verdict: 'unclear', note: null, by: 'olga' }, noon);
    await retention.deleteCases(noon, 5);
    expect(await db.integrityCase.count()).toBe(1);
    await retention.deleteCases(noon + 1, 5);
    expect(await db.integrityCase.count()).toBe(0);
  });
});
