import { seededRandom, type SkillBelief } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelOf } from '../models.js';
import { conclude, searchesAbout } from './conclude.js';
import { evidenceOf, type Meeting } from './meeting.js';
import { beginSearch, searchAfter, type Search } from './search.js';

const model = modelOf('openskill-plackett-luce');
const start = { mu: 25, sigma: 25 / 3 };
const fresh = beginSearch({ from: 0, to: 50 });

/** Newcomers who play one another, as the queue tracks them. */
class House {
  readonly searches = new Map<string, Search>();
  private readonly states = new Map<string, object>();
  private matches = 0;

  constructor(newcomers: readonly string[]) {
    for (const playerId of newcomers) this.searches.set(playerId, fresh);
  }

  play(teams: readonly (readonly string[])[], ranks: readonly number[]): void {
    const states = teams.map((team) => team.map((id) => this.states.get(id) ?? model.initial()));
    const meeting: Meeting = {
      matchId: `m${this.matches++}`,
      teams: teams.map((team, t) =>
        team.map((playerId, p) => ({ playerId, ...model.belief(states[t]?.[p] ?? {}) })),
      ),
      ranks,
    };
    const rated = model.rate({ teams: states }, ranks);
    for (const [t, team] of teams.entries())
      for (const [p, playerId] of team.entries()) {
        this.states.set(playerId, rated[t]?.[p] ?? {});
        const search = this.searches.get(playerId);
        const evidence = search && evidenceOf(meeting, playerId, search);
        if (search && evidence)
          this.searches.set(playerId, searchAfter(search, evidence.outcome, evidence, meeting));
      }
  }

  found(playerId: string): SkillBelief {
    return conclude(this.searches.get(playerId) ?? fresh, playerId, this.searches);
  }
}

const duels = (results: string): House => {
  const house = new House(['ann', 'bob']);
  for (const result of results) house.play([['ann'], ['bob']], result === 'W' ? [1, 2] : [2, 1]);
  return house;
};

describe('R3 conclude, among newcomers', () => {
  it('puts the winner of two newcomers above the loser, and their mean stays as uncertain', () => {
    const house = duels('WWLWLWWLWL');
    const [ann, bob] = [house.found('ann'), house.found('bob')];
    expect(ann.mu).toBeGreaterThan(25.5);
    expect(ann.mu + bob.mu).toBeCloseTo(50, 6);
    // Whatever they play, their mean is as uncertain as before: 25/3 · √½.
    expect(ann.sigma).toBeGreaterThan(start.sigma * Math.SQRT1_2);
    expect(ann.sigma).toBeLessThan(6.2);
    expect(bob.sigma).toBeCloseTo(ann.sigma, 6);
  });

  it('depends on who won, not on when', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...'WWWWWWLLLL'], { minLength: 10 }), (order) => {
        const { mu, sigma } = duels(order.join('')).found('ann');
        const usual = duels('WWLWLWWLWL').found('ann');
        expect(mu).toBeCloseTo(usual.mu, 2);
        expect(sigma).toBeCloseTo(usual.sigma, 2);
      }),
      { numRuns: 20 },
    );
  });

  it("includes an opponent's other results: a loss against a player who beats all costs little", () => {
    const strong = new House(['ann', 'bob']);
    const weak = new House(['ann', 'bob']);
    for (const house of [strong, weak]) house.play([['ann'], ['bob']], [2, 1]);
    for (let i = 0; i < 8; i++) {
      strong.play([['bob'], [`known-${i}`]], [1, 2]);
      weak.play([['bob'], [`known-${i}`]], [2, 1]);
    }
    expect(strong.found('ann').mu).toBeGreaterThan(weak.found('ann').mu + 1);
  });

  it('treats a known player who is met again as the same player', () => {
    const same = new House(['ann']);
    const others = new House(['ann']);
    for (let i = 0; i < 10; i++) {
      same.play([['ann'], ['known']], i % 2 === 0 ? [1, 2] : [2, 1]);
      others.play([['ann'], [`known-${i}`]], i % 2 === 0 ? [1, 2] : [2, 1]);
    }
    expect(same.found('ann').sigma).toBeGreaterThan(1.2 * others.found('ann').sigma);
  });

  it('treats an opponent whose rating was set anew as another opponent', () => {
    const rival = (mu: number, i: number): Meeting => ({
      matchId: `m${i}`,
      teams: [[{ playerId: 'ann', ...start }], [{ playerId: 'rick', mu, sigma: 1 }]],
      ranks: mu < 32 ? [1, 2] : [2, 1],
    });
    const ann = [25, 31, 37, 34, 30, 33, 31.5, 32.5].reduce((search, mu, i) => {
      const meeting = rival(mu, i);
      const evidence = evidenceOf(meeting, 'ann', search);
      return evidence ? searchAfter(search, evidence.outcome, evidence, meeting) : search;
    }, fresh);
    const { mu, sigma } = conclude(ann, 'ann');
    expect(Math.abs(mu - 32)).toBeLessThan(2);
    expect(sigma).toBeLessThan(4);
  });

  it('is calibrated, in teams and in duels of many newcomers', () => {
    const random = seededRandom(7);
    const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    let [within, all] = [0, 0];
    for (let day = 0; day < 30; day++) {
      const names = Array.from({ length: 12 }, (_, i) => `n${i}`);
      const truths = new Map(names.map((name) => [name, start.mu + start.sigma * normal()]));
      const house = new House(names);
      for (let round = 0; round < 10; round++) {
        const order = names.map((name) => ({ name, at: random() })).toSorted((a, b) => a.at - b.at);
        const size = day % 2 === 0 ? 1 : 2;
        for (let i = 0; i + 2 * size <= order.length; i += 2 * size) {
          const seats = order.slice(i, i + 2 * size).map(({ name }) => name);
          const teams = [seats.slice(0, size), seats.slice(size)];
          const [one = 0, other = 0] = teams.map((team) =>
            team.reduce((sum, name) => sum + (truths.get(name) ?? 0) + (25 / 6) * normal(), 0),
          );
          house.play(teams, one > other ? [1, 2] : [2, 1]);
        }
      }
      for (const name of names) {
        const { mu, sigma } = house.found(name);
        all++;
        if (Math.abs(mu - (truths.get(name) ?? 0)) <= sigma) within++;
      }
    }
    expect(within / all).toBeGreaterThan(0.63);
    expect(within / all).toBeLessThan(0.73);
  });

  it('is independent of the order of the searches', () => {
    const house = duels('WWLWW');
    house.play([['ann'], ['cid']], [1, 2]);
    const reversed = new Map([...house.searches].toReversed());
    const ann = house.searches.get('ann') ?? fresh;
    expect(conclude(ann, 'ann', reversed).mu).toBeCloseTo(house.found('ann').mu, 3);
  });
});

describe('searchesAbout', () => {
  it('loads the players met, then those whom these met, and nobody twice', async () => {
    const house = new House(['ann', 'bob', 'cid', 'dan']);
    house.play([['ann'], ['bob']], [1, 2]);
    house.play([['bob'], ['cid']], [1, 2]);
    house.play([['cid'], ['dan']], [1, 2]);
    const asked: string[][] = [];
    const found = await searchesAbout('ann', house.searches.get('ann') ?? fresh, async (ids) => {
      asked.push([...ids]);
      return new Map(ids.flatMap((id) => [[id, house.searches.get(id) ?? fresh]]));
    });
    expect(asked).toEqual([['bob'], ['cid']]);
    expect([...found.keys()]).toEqual(['ann', 'bob', 'cid']);
  });

  it('loads no more than are estimated together, for any number of meetings', async () => {
    const house = new House(['ann']);
    for (let i = 0; i < 10; i++) {
      const seats = Array.from({ length: 20 }, (_, k) => `p${i}-${k}`);
      house.play([['ann', ...seats.slice(0, 9)], seats.slice(9)], [1, 2]);
    }
    let asked = 0;
    await searchesAbout('ann', house.searches.get('ann') ?? fresh, async (ids) => {
      asked += ids.length;
      return new Map(ids.map((id) => [id, fresh]));
    });
    expect(asked).toBeGreaterThan(50);
    expect(asked).toBeLessThan(60);
  });
});
