import type { Habits, IntegrityRules } from '@muster/domain';
import { habitHash, HabitNotes } from '@muster/platform';
import { defaultPoolRules } from '@muster/skill';
import { beforeEach, describe, expect, it } from 'vitest';
import { PostgresCases } from '../../apps/rating/src/integrity/cases.store.js';
import { IntegrityRetention } from '../../apps/rating/src/integrity/integrity-retention.store.js';
import { RaiseUncertainty } from '../../apps/rating/src/integrity/raise.store.js';
import { opened } from '../../apps/rating/src/core/open-pool.js';
import { as } from '../support/database.js';
import { databaseForEach, noon, range } from './fixtures.js';
import { watchedAll } from './integrity-fixtures.js';
import { aPool } from './ledger-fixtures.js';
import { inForce, Ladder, rebuilt } from './rebuild-fixtures.js';

const data = databaseForEach();
const day = 86_400_000;
const open = { state: 'open', limit: 100, kind: 'alternate' } as const;
const hashed = habitHash(JSON.stringify({ d: 'secret' }));
/** What is stored of a device. */
const hash = (code: string): string | undefined => hashed('ladder', { ann: { device: code } })[0]?.code;

let ladder: Ladder;
let cases: PostgresCases;
let played = 0;

beforeEach(async () => {
  const { db } = data();
  ladder = new Ladder(db, 'ladder');
  cases = new PostgresCases(as('rating', db));
  await ladder.ledger.pools.create(aPool('ladder', { ...defaultPoolRules, integrity: { uncertainty: 0.9 } }));
});

const notes = (by: 'rating' | 'allocator' = 'rating'): HabitNotes =>
  new HabitNotes(as(by, data().db), hashed);

const kinds = ['device', 'network', 'settings', 'hardware', 'client'];
/** The habits of a person. */
const habitsOf = (person: string, shared = kinds): Habits =>
  Object.fromEntries(shared.map((kind) => [kind, `${kind} of ${person}`]));

/** A match whose result tells habits. @param habits by player; their own unless told */
async function duel(
  winner: string,
  loser: string,
  habits: Readonly<Record<string, Habits>> = {},
  now = noon + 1_000 * played,
): Promise<void> {
  const matchId = `m${++played}`;
  await ladder.play({ matchId, teams: [[winner], [loser]], ranks: [1, 2] });
  const told = { [winner]: habitsOf(winner), [loser]: habitsOf(loser), ...habits };
  await notes(played % 2 === 0 ? 'rating' : 'allocator').note(matchId, told, now);
}

/** Players of a pool, `ann` among them, who have played for long. */
async function grown(): Promise<void> {
  for (const i of range(30)) await duel(`p${i}`, `q${i}`);
  for (const i of range(21)) await duel('ann', `p${i}`);
}

const sigmaOf = async (playerId: string): Promise<number> => {
  const { pool, ratings } = await ladder.ledger.ratings.of('ladder', [playerId]);
  const { model } = opened(pool).model;
  return model.belief(model.read(ratings.get(playerId)?.state)).sigma;
};

async function rules(integrity: IntegrityRules | null): Promise<void> {
  const pool = await ladder.ledger.ratings.pool('ladder');
  await ladder.ledger.pools.change(pool, { ...pool.rules, integrity }, pool.calibration, 'a test');
}

const again = { 'ann-2': habitsOf('ann') };

describe('habits', () => {
  it('are stored as hashes by the services that receive results, and only where the pool watches', async () => {
    const { db } = data();
    await duel('ann', 'ben', { ben: { device: 'd-1' }, 'bot:1': { device: 'd-1' } }, noon);
    expect(await db.playerHabit.findMany({ where: { playerId: { not: 'ann' } } })).toEqual([
      {
        pool: 'ladder',
        playerId: 'ben',
        kind: 'device',
        code: hash('d-1'),
        firstSeenAt: new Date(noon),
        seenAt: new Date(noon),
      },
    ]);
    expect(await db.playerHabit.count({ where: { playerId: 'ann' } })).toBe(5);
    await rules(null);
    await duel('cid', 'dan');
    await notes().note('no-match', { eva: habitsOf('eva') }, noon);
    expect(await db.playerHabit.count({ where: { playerId: { in: ['cid', 'dan', 'eva'] } } })).toBe(0);
  });

  it('keep the last code and the first time; what did not change is written once a day', async () => {
    const { db } = data();
    const one = (): Promise<unknown> =>
      db.playerHabit.findFirst({
        where: { playerId: 'ann' },
        select: { code: true, firstSeenAt: true, seenAt: true },
      });
    await duel('ann', 'ben', { ann: { device: 'd-1' } }, noon);
    await duel('ann', 'ben', { ann: { device: 'd-1' } }, noon + 1_000);
    expect(await one()).toMatchObject({ firstSeenAt: new Date(noon), seenAt: new Date(noon) });
    await duel('ann', 'ben', { ann: { device: 'd-2' } }, noon + 2_000);
    expect(await one()).toEqual({
      code: hash('d-2'),
      firstSeenAt: new Date(noon),
      seenAt: new Date(noon + 2_000),
    });
    await duel('ann', 'ben', { ann: { device: 'd-2' } }, noon + 2 * day);
    expect(await one()).toMatchObject({ seenAt: new Date(noon + 2 * day) });
  });

  it('are told by many at once without a deadlock', async () => {
    for (const i of range(8)) await duel(`p${i}`, `q${i}`);
    const told = range(20).map((i) => [`p${i}`, habitsOf(`p${i}`)] as const);
    await Promise.all(
      range(8).map((i) =>
        notes().note(`m${played - i}`, Object.fromEntries(i % 2 === 0 ? told : told.toReversed()), noon + i),
      ),
    );
    expect(await data().db.playerHabit.count({ where: { playerId: { startsWith: 'p' } } })).toBe(100);
  });

  it('are deleted when they were not told for their retention', async () => {
    const { db } = data();
    await duel('ann', 'ben', {}, noon);
    await duel('ann', 'cid', {}, noon + 2 * day);
    const retention = new IntegrityRetention(as('rating', db));
    expect(await retention.deleteHabits(noon, 3)).toBe(false);
    expect(await retention.deleteHabits(noon + day, 3)).toBe(true);
    expect(await retention.deleteHabits(noon + day, 3)).toBe(false);
    expect(
      await db.playerHabit.groupBy({ by: ['playerId'], _count: true, orderBy: { playerId: 'asc' } }),
    ).toEqual([
      { playerId: 'ann', _count: 5 },
      { playerId: 'cid', _count: 5 },
    ]);
  });
});

describe('a new account with the habits of an older one', () => {
  it('opens a case about both, which names the new one first', async () => {
    const { db } = data();
    await grown();
    await duel('q7', 'ann-2', { 'ann-2': { ...habitsOf('ann'), client: 'another' } });
    await watchedAll(db, 'ladder');
    const [found, ...more] = await cases.list(open);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ kind: 'alternate', players: ['ann-2', 'ann'], matches: 1, server: null });
    expect(found?.evidence).toBeGreaterThan(20);
    expect(found?.pro.map(({ code, params }) => [code, params['kind']])).toEqual([
      ['integrity.alternate-accounts', undefined],
      ['integrity.habit-equal', 'device'],
      ['integrity.habit-equal', 'hardware'],
      ['integrity.habit-equal', 'network'],
      ['integrity.habit-equal', 'settings'],
      ['integrity.habits-explain', undefined],
    ]);
    expect(found?.contra.map(({ code }) => code)).toEqual([
      'integrity.habits-by-chance',
      'integrity.habit-differs',
      'integrity.alternate-level',
      'integrity.habits-shared',
    ]);
    // The same habits renew the case.
    await duel('q7', 'ann-2', again);
    await watchedAll(db, 'ladder');
    expect(await cases.list(open)).toMatchObject([{ caseId: found?.caseId, matches: 2 }]);
  });

  it('opens none for two who met, for codes of many, for a known account, and for one equal habit', async () => {
    const { db } = data();
    await grown();
    // Met: before the habits are alike.
    await duel('ann', 'ben-2');
    await duel('q1', 'ben-2', { 'ben-2': habitsOf('ann') });
    // One kind alone.
    await duel('q2', 'cid-2', { 'cid-2': { ...habitsOf('cid-2'), device: 'device of ann' } });
    // A café: many share all.
    for (const i of range(52)) await duel('q3', `guest-${i}`, { [`guest-${i}`]: habitsOf('café') });
    // Two who are known.
    for (const i of range(21)) await duel('dan', `p${i}`);
    await watchedAll(db, 'ladder');
    await duel('p1', 'dan', { dan: habitsOf('p2') });
    await watchedAll(db, 'ladder');
    const about = (await cases.list(open)).map(({ players }) => players.join(' '));
    expect(about.filter((each) => !each.includes('guest'))).toEqual([]);
    expect(about.filter((each) => each.startsWith('guest-51'))).toEqual([]);
  });

  it('is not asked about again once it was judged, and is found again after a rebuild until then', async () => {
    const { db } = data();
    await rules({});
    await grown();
    await duel('q7', 'ann-2', again);
    await watchedAll(db, 'ladder');
    await rebuilt(db, 'ladder');
    expect(await cases.list(open)).toMatchObject([{ outdated: true }]);
    await watchedAll(db, 'ladder');
    const [found] = await cases.list(open);
    expect(found).toMatchObject({ outdated: false });
    await cases.close(found?.caseId ?? '', { verdict: 'cleared', note: 'Sisters.', by: 'olga' }, noon);
    for (const _ of range(3)) await duel('q7', 'ann-2', again);
    await watchedAll(db, 'ladder');
    await rebuilt(db, 'ladder');
    await watchedAll(db, 'ladder');
    expect(await cases.list(open)).toEqual([]);
    // It is still watched, and may look like somebody else.
    await duel('q7', 'ann-2', { 'ann-2': habitsOf('p9') });
    await watchedAll(db, 'ladder');
    expect(await cases.list(open)).toMatchObject([{ players: ['ann-2', 'p9'] }]);
  });

  it('has its own uncertainty raised up to the bound, not that of the older one, and ratings stay to the bit', async () => {
    const { db } = data();
    await rules({ uncertainty: 0.95 });
    await grown();
    for (const _ of range(4)) await duel('q7', 'ann-2', again);
    await watchedAll(db, 'ladder');
    const before = { older: await sigmaOf('ann'), newer: await sigmaOf('ann-2') };
    const raise = new RaiseUncertainty(as('rating', db));
    while (await raise.next(noon));
    const { start } = opened(await ladder.ledger.ratings.pool('ladder'));
    expect(before.newer).toBeLessThan(0.95 * start.sigma);
    expect(await sigmaOf('ann-2')).toBeCloseTo(0.95 * start.sigma, 12);
    expect(await sigmaOf('ann')).toBe(before.older);
    expect(await db.ratingEvent.count({ where: { kind: 'signal' } })).toBe(1);
    expect(await cases.list(open)).toMatchObject([{ raised: true }]);
    const live = await inForce(db, 'ladder');
    await rebuilt(db, 'ladder');
    expect(await inForce(db, 'ladder')).toEqual(live);
    // Habits are in no event of the ledger.
    const [named] = await db.$queryRaw<{ many: number }[]>`
      SELECT count(*)::int AS many FROM rating_event WHERE detail::text LIKE '%device%'`;
    expect(named?.many).toBe(0);
  });
});
