import { seededRandom, type Played, type Random } from '@muster/domain';
import { readPoolFit } from '@muster/skill';
import { beforeEach, describe, expect, it } from 'vitest';
import { RatingOverrides } from '../../apps/rating/src/ratings/rating-overrides.js';
import { FitPools } from '../../apps/rating/src/newcomers/fit-pools.js';
import fitRows, { type FitTask } from '../../apps/rating/src/newcomers/stats-fit.worker.js';
import { SeedNewcomer } from '../../apps/rating/src/newcomers/seed-newcomer.js';
import { PostgresStatsFits } from '../../apps/rating/src/newcomers/stats-fits.store.js';
import { ReadFit } from '../../apps/rating/src/newcomers/read-fit.js';
import { tuneProposal } from '../../apps/rating/src/pools/tuning.js';
import { PostgresPools } from '../../apps/rating/src/pools/pools.store.js';
import { as } from '../support/database.js';
import { databaseForEach, noon, range } from './fixtures.js';
import { aPool, reported } from './ledger-fixtures.js';
import { countingIds, inForce, Ladder, rebuilt } from './rebuild-fixtures.js';

const data = databaseForEach();
const placement = { leastR2: 0.1, minMatches: 60, window: 5 };
const clock = { now: (): number => noon };

let ladder: Ladder;
let fits: PostgresStatsFits;
let played: number;
beforeEach(async () => {
  played = 0;
  const db = as('rating', data().db);
  ladder = new Ladder(data().db, 'ladder');
  fits = new PostgresStatsFits(db);
  await ladder.ledger.pools.create(aPool('ladder', { placement, convergedBelow: 0.75 }));
});

/** A process of the rating service; its fits run in the same thread. */
function aService(holder = 'one') {
  const ids = countingIds();
  const heard: (string | null)[] = [];
  const { ledger } = ladder;
  const newcomers = new SeedNewcomer(ledger.ratings, fits, clock, ids);
  const thread = { fit: async (task: FitTask) => fitRows(task) };
  const pools = new FitPools(ledger.ratings, ledger.rated, fits, thread, clock, { make: () => holder });
  return {
    heard,
    newcomers,
    overrides: new RatingOverrides(ledger.ratings, clock, ids, newcomers),
    fit: new ReadFit(ledger.ratings, fits),
    pools: {
      run: async () => {
        for await (const { fit } of pools.run()) heard.push(fit.refusal);
      },
    },
  };
}

/** A duel whose stats tell the skill of its players, or nothing. */
async function duel(names: readonly string[], random: Random, tells: boolean): Promise<void> {
  const [a = '', b = ''] = names;
  const skillOf = (name: string): number => Number(/\d+/.exec(name)?.[0] ?? 0) % 20;
  const won = random() < 1 / (1 + Math.exp((skillOf(b) - skillOf(a)) / 4));
  const stats: Played['stats'] = Object.fromEntries(
    names.map((name) => [
      name,
      { damage: (tells ? 10 * skillOf(name) : 0) + 20 * random(), hero: random() < 0.5 ? 'axe' : 'bow' },
    ]),
  );
  played++;
  const match = { matchId: `m${played}`, teams: [[a], [b]], ranks: won ? [1, 2] : [2, 1], played: { stats } };
  await ladder.ledger.reports.rate(reported(match), noon + played);
}

/** Everybody of twenty plays as many duels. */
async function history(tells: boolean, rounds = 8): Promise<void> {
  const random = seededRandom(11);
  for (const _ of range(rounds)) {
    const mixed = range(20)
      .map((i) => ({ name: `p${i}`, at: random() }))
      .toSorted((x, y) => x.at - y.at)
      .map(({ name }) => name);
    await Promise.all(range(10).map((i) => duel(mixed.slice(2 * i, 2 * i + 2), random, tells)));
  }
}

const ratingOf = async (playerId: string) => {
  const { changes } = await historyOf(playerId);
  return changes.at(-1)?.after as { mu: number; sigma: number };
};
const historyOf = async (playerId: string) => ({
  changes: (
    await ladder.ledger.history.of(await ladder.ledger.ratings.pool('ladder'), playerId, 100)
  ).toReversed(),
});

describe('seeding from stats', () => {
  it('is fitted to the ledger, and says that it is used', async () => {
    await history(true);
    const { pools, fit, heard } = aService();
    expect(await fit.of('ladder')).toMatchObject({
      used: false,
      why: expect.stringContaining('No fit'),
    });
    await pools.run();
    expect(heard).toEqual([null]);
    const view = await fit.of('ladder');
    expect(view).toMatchObject({ used: true, rules: placement });
    expect(view.why).toMatch(/^Stats explain \d+(\.\d)? % .*; 10\.0 % are asked at least\.$/);
    expect(view.fit).toMatchObject({ matches: 80, incomplete: 0 });
    expect(view.fit?.stats[0]?.name).toBe('damage');
    // Nothing has changed, so nothing is fitted again.
    await pools.run();
    expect(heard).toHaveLength(1);
  });

  it('is refused with the figures when stats say nothing, and with the count while there are few', async () => {
    await history(false, 2);
    const { pools, fit, overrides } = aService();
    await pools.run();
    expect(await fit.of('ladder')).toMatchObject({
      used: false,
      why: expect.stringMatching(/The history has \d+ matches; placing by stats needs 60\./),
      fit: null,
    });
    await history(false, 6);
    await pools.run();
    const view = await fit.of('ladder');
    expect(view.why).toMatch(/^Stats explain -?\d+(\.\d)? % .* needs 10 %\.$/);
    expect(view.fit?.heldOutR2).toBeLessThan(0.1);

    await duel(['new19', 'p3'], seededRandom(1), false);
    await overrides.seed('ladder', 'new19', 30, 5, 'cal_1', 'by results');
    expect(await ratingOf('new19')).toMatchObject({ mu: 30, sigma: 5 });
  });

  it('moves the seed of a calibration, once, and a rebuild finds it without the fit', async () => {
    await history(true);
    const { pools, overrides } = aService();
    await pools.run();
    for (const i of range(5)) await duel(['new19', `p${i}`], seededRandom(i), true);
    expect(await overrides.seed('ladder', 'new19', 27, 5, 'cal_1', 'by results')).toBe(true);
    expect(await overrides.seed('ladder', 'new19', 27, 5, 'cal_1', 'by results')).toBe(false);
    const { mu, sigma } = await ratingOf('new19');
    expect(mu).toBeGreaterThan(27.5);
    expect(sigma).toBeLessThan(4.8);
    const { changes } = await historyOf('new19');
    expect(changes.map(({ kind }) => kind)).toEqual(['match', 'match', 'match', 'match', 'match', 'seed']);
    expect(changes.at(-1)?.reason).toMatch(
      /^by results The stats of 5 matches measure \d+\.\d ± \d+\.\d .* with 27\.0 ± 5\.0 by results that is/,
    );
    const live = await inForce(data().db, 'ladder');
    await data().db.placementFit.deleteMany();
    await rebuilt(data().db, 'ladder');
    expect(await inForce(data().db, 'ladder')).toEqual(live);
  });

  it('of a pool without calibration follows the last match of the window, once, and loses no match', async () => {
    await history(true);
    const { pools, newcomers } = aService();
    await pools.run();
    await data().db.outbox.deleteMany();
    const random = seededRandom(8);
    for (const i of range(4)) await duel(['new19', `p${i}`], random, true);
    expect(await data().db.outbox.count({ where: { queue: 'place-newcomer' } })).toBe(0);
    await duel(['new19', 'p9'], random, true);
    const jobs = await data().db.outbox.findMany({ where: { queue: 'place-newcomer' } });
    expect(jobs.map(({ payload }) => payload)).toEqual([{ pool: 'ladder', playerId: 'new19' }]);

    const before = await ratingOf('new19');
    // Matches are rated while it is placed.
    const [first, second] = await Promise.all([
      newcomers.seed('ladder', 'new19'),
      newcomers.seed('ladder', 'new19'),
      duel(['new19', 'p4'], random, true),
      duel(['new19', 'p5'], random, true),
    ]);
    expect([first, second].filter(Boolean)).toHaveLength(1);
    expect(await newcomers.seed('ladder', 'new19')).toBe(false);
    const { changes } = await historyOf('new19');
    expect(changes.filter(({ kind }) => kind === 'seed')).toMatchObject([{ by: 'placement' }]);
    // Each row begins where the one before ended: nothing was overwritten.
    for (const [i, change] of changes.entries())
      if (i > 0) expect(change.before).toMatchObject(changes[i - 1]?.after as object);
    expect((await ratingOf('new19')).sigma).toBeLessThan(before.sigma);
    const live = await inForce(data().db, 'ladder');
    await rebuilt(data().db, 'ladder');
    expect(await inForce(data().db, 'ladder')).toEqual(live);
  });

  it('starts from the rating that is in force when it is recorded', async () => {
    await history(true);
    await aService().pools.run();
    const random = seededRandom(8);
    for (const i of range(5)) await duel(['new19', `p${i}`], random, true);
    const { ledger } = ladder;
    let isFirst = true;
    const slow = new SeedNewcomer(
      {
        of: (name, playerIds) => ledger.ratings.of(name, playerIds),
        record: async (...args) => {
          // A match is rated between the read and the record.
          if (isFirst) await duel(['new19', 'p12'], random, true);
          isFirst = false;
          return ledger.ratings.record(...args);
        },
      },
      fits,
      clock,
      countingIds(),
    );
    expect(await slow.seed('ladder', 'new19')).toBe(true);
    const { changes } = await historyOf('new19');
    const seed = changes.at(-1);
    if (!seed) throw new Error('no seed');
    expect(changes.map(({ kind }) => kind).slice(-2)).toEqual(['match', 'seed']);
    const { mu, sigma } = seed.before as { mu: number; sigma: number };
    expect(seed.reason).toContain(`with ${mu.toFixed(1)} ± ${sigma.toFixed(1)} by results`);
  });

  it('leaves players alone whom a queue calibrates, and those without stats', async () => {
    await history(true);
    const { pools, newcomers } = aService();
    await pools.run();
    for (const i of range(5)) {
      const match = { matchId: `plain${i}`, teams: [['bare'], [`p${i}`]], ranks: [1, 2] };
      await ladder.ledger.reports.rate(reported(match), noon);
    }
    expect(await newcomers.seed('ladder', 'bare')).toBe(false);
    for (const i of range(5)) await duel(['new7', `p${i}`], seededRandom(i), true);
    const rules = { pool: 'ladder', calibrationMatches: 10 };
    await data().db.queueRules.create({
      data: {
        queue: 'ranked',
        version: 1,
        rules,
        why: 'a test',
        appliesTo: 'new',
        createdAt: new Date(noon),
      },
    });
    expect(await fits.isCalibrated('ladder')).toBe(true);
    expect(await newcomers.seed('ladder', 'new7')).toBe(false);
    await data().db.queueRules.create({
      data: {
        queue: 'ranked',
        version: 2,
        rules: { pool: 'ladder' },
        why: 'a test',
        appliesTo: 'new',
        createdAt: new Date(noon),
      },
    });
    expect(await newcomers.seed('ladder', 'new7')).toBe(true);
  });

  it('is fitted by one replica at a time, again after a lease that ran out, and for new ratings', async () => {
    await history(true);
    const [one, two] = [aService('one'), aService('two')];
    await Promise.all([one.pools.run(), two.pools.run()]);
    expect([...one.heard, ...two.heard]).toEqual([null]);
    const last = await fits.fit('ladder');
    if (!last) throw new Error('no fit');
    // One that looked before the fit was made does not make it again.
    expect(await fits.claim('ladder', 'late', 1_000, noon, null)).toBe(false);
    expect(await fits.claim('ladder', 'dead', 1_000, noon, last)).toBe(true);
    expect(await fits.claim('ladder', 'two', 1_000, noon + 999, last)).toBe(false);
    expect(await fits.claim('ladder', 'two', 1_000, noon + 1_001, last)).toBe(true);
    expect(await fits.save('ladder', 'dead', last)).toBe(false);
    expect(await fits.save('ladder', 'two', last)).toBe(true);

    await rebuilt(data().db, 'ladder', { reason: 'another model', refit: false, model: 'glicko2' });
    expect((await one.fit.of('ladder')).why).toContain('other ratings or rules');
    await two.pools.run();
    const record = await fits.fit('ladder');
    expect(record?.generation).toBe(last.generation + 1);
    expect(readPoolFit(record?.fit).skills.mu).toBeGreaterThan(1_000);
  });

  it('does not read voided matches', async () => {
    await history(true, 2);
    await ladder.ledger.matches.void('m1', { by: 'operator', reason: 'bots', rebuildId: 'reb_1' }, noon);
    const first = await fits.matchesBefore('ladder', null, 15);
    const rest = await fits.matchesBefore('ladder', first.next, 15);
    const ids = [...first.matches, ...rest.matches].map(({ matchId }) => matchId);
    expect(ids).toHaveLength(19);
    expect(ids).not.toContain('m1');
    expect(rest.next).toBeNull();
    const all = [...first.matches, ...rest.matches];
    const [lost = ''] = (await data().db.matchPlayer.findMany({ where: { matchId: 'm1' } })).map(
      ({ playerId }) => playerId,
    );
    expect(await fits.matchesOf('ladder', 1, lost, 10)).toEqual(
      all.filter(({ teams }) => teams.flat().includes(lost)),
    );
  });
});

describe('the proposal to tune a pool', () => {
  it('comes with enough matches, and again when they have doubled', async () => {
    expect(tuneProposal('duel', 499, null)).toEqual([]);
    expect(tuneProposal('duel', 1_240, null)).toEqual([
      '1,240 matches were rated under rules that were never tuned on them: run "muster pools tune duel".',
    ]);
    expect(tuneProposal('duel', 1_240, 700)).toEqual([]);
    expect(tuneProposal('duel', 1_400, 700)).toEqual([expect.stringContaining('twice as many')]);
    expect(tuneProposal('duel', 100, 10)).toEqual([]);
  });

  it('knows the last tuning', async () => {
    const tunings = new PostgresPools(as('rating', data().db));
    expect(await tunings.tunedAt('ladder')).toBeNull();
    await tunings.tuned('ladder', 500, noon);
    await tunings.tuned('ladder', 900, noon);
    expect(await tunings.tunedAt('ladder')).toBe(900);
  });
});
