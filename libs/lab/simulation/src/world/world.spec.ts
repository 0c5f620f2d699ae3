import { seededRandom } from '@muster/domain';
import { poolModelOf, defaultPoolRules } from '@muster/skill';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawIndex, drawNormal, randomOf } from '../chance/draws.js';
import { normalAt, normalBelow } from '../chance/normal.js';
import { populationPresets } from '../population/presets.js';
import { Accounts } from './accounts.js';
import { chancesOf, play, strengthOf, unfairness } from './contest.js';
import { EventQueue } from './events.js';
import { Groups } from './groups.js';

const population = populationPresets.get('5v5-1k');
if (!population) throw new Error('no preset');
const { model } = poolModelOf(defaultPoolRules);

describe('chance', () => {
  it('the normal distribution and its inverse agree', () => {
    for (const p of [1e-6, 0.001, 0.02, 0.3, 0.5, 0.8, 0.99, 1 - 1e-6])
      expect(normalBelow(normalAt(p))).toBeCloseTo(p, 6);
    expect(normalBelow(1.959963985)).toBeCloseTo(0.975, 6);
  });

  it('draws have the expected mean and spread', () => {
    const random = randomOf(1, 2, 3);
    const draws = Array.from({ length: 20_000 }, () => drawNormal(random));
    const mean = draws.reduce((a, b) => a + b, 0) / draws.length;
    expect(mean).toBeCloseTo(0, 1);
    expect(draws.reduce((sum, draw) => sum + (draw - mean) ** 2, 0) / draws.length).toBeCloseTo(1, 1);
  });

  it('an index never has weight zero', () => {
    const weights = fc
      .array(fc.nat(3), { minLength: 1, maxLength: 6 })
      .filter((all) => all.some((w) => w > 0));
    fc.assert(
      fc.property(weights, fc.nat(), (all, seed) => {
        expect(all[drawIndex(seededRandom(seed), all)]).toBeGreaterThan(0);
      }),
    );
  });
});

describe('a contest', () => {
  it('is even between equals, of two teams or of more', () => {
    const team = strengthOf([25, 26], 4);
    expect(chancesOf([team, team])).toEqual([0.5, 0.5].map((chance) => expect.closeTo(chance, 6)));
    expect(unfairness(chancesOf([team, team, team]))).toBeCloseTo(0, 9);
  });

  it('has the same chances by the two-team formula and by summation', () => {
    const [strong, weak] = [strengthOf([30], 4), strengthOf([25], 4)];
    const hopeless = { mean: -1e6, variance: 16 };
    const [exact = 0] = chancesOf([strong, weak]);
    expect(exact).toBeCloseTo(normalBelow(5 / Math.sqrt(32)), 9);
    expect(chancesOf([strong, weak, hopeless])[0]).toBeCloseTo(exact, 4);
  });

  it('is won as often as its chances predict', () => {
    const teams = [strengthOf([28], 4), strengthOf([25], 4)];
    const random = seededRandom(5);
    const won = Array.from({ length: 20_000 }, () => play(teams, random)).filter(([first]) => first === 1);
    expect(won.length / 20_000).toBeCloseTo(chancesOf(teams)[0] ?? NaN, 1.7);
  });
});

describe('an event queue', () => {
  it('returns events by time, and simultaneous ones by insertion', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9), { maxLength: 60 }), (times) => {
        const agenda = new EventQueue<{ at: number; order: number }>();
        const put = times.map((at, order) => ({ at, order }));
        for (const event of put) agenda.put(event.at, event);
        const taken = [];
        for (let event = agenda.take(); event; event = agenda.take()) taken.push(event);
        expect(taken).toEqual(put.toSorted((a, b) => a.at - b.at || a.order - b.order));
        expect(agenda.nextAt).toBe(Infinity);
      }),
    );
  });
});

describe('accounts', () => {
  it('have the skills of the population, and nobody plays twice at a time', () => {
    const accounts = new Accounts(population, model, 1);
    const random = seededRandom(1);
    const taken = new Set<number>();
    const skills: number[] = [];
    for (let i = 0; i < 2_000; i++) {
      const account = accounts.anybody(0, random);
      if (account === null) break;
      expect(taken.has(account)).toBe(false);
      taken.add(account);
      skills.push(accounts.truth(account));
    }
    const mean = skills.reduce((a, b) => a + b, 0) / skills.length;
    expect(mean).toBeCloseTo(25, 0);
  });

  it('have friends of similar skill', () => {
    const accounts = new Accounts(population, model, 1);
    const random = seededRandom(2);
    const differences = Array.from({ length: 200 }, () => {
      const leader = accounts.anybody(0, random) ?? 0;
      const friend = accounts.friendOf(leader, 0, random) ?? 0;
      const difference = Math.abs(accounts.truth(leader) - accounts.truth(friend));
      accounts.leave(leader);
      accounts.leave(friend);
      return difference;
    });
    // The mean of |N(0, 4)| is 3.2; two random players are 9.4 apart.
    expect(differences.reduce((a, b) => a + b, 0) / 200).toBeLessThan(4.5);
  });

  it('have no free one once all play', () => {
    const accounts = new Accounts({ ...population, concurrentPlayers: 2 }, model, 1);
    const random = seededRandom(3);
    let count = 0;
    while (accounts.anybody(0, random) !== null) count++;
    expect(count).toBe(20);
  });
});

describe('groups', () => {
  const options = {
    population,
    accounts: new Accounts(population, model, 1),
    model,
    seed: 1,
    maxPartySize: 3,
    calibrationMatches: 10,
  };

  it('come more often at the peak, and in parties no larger than the queue accepts', () => {
    const groups = new Groups(options, 0);
    const hours = Array.from({ length: 24 }, () => 0);
    for (let at = groups.nextAt(0); at < 86_400_000; at = groups.nextAt(at)) {
      const group = groups.come(at);
      if (!group) continue;
      for (const account of group.members) options.accounts.leave(account);
      hours[Math.floor(at / 3_600_000)]! += group.members.length;
      expect(group.members.length).toBeLessThanOrEqual(3);
      expect(Object.keys(group.latencyMs)).toEqual(['eu', 'na']);
    }
    expect(hours[21]).toBeGreaterThan(2 * (hours[10] ?? 0));
  });
});
