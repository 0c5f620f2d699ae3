import { seededRandom, Unsolvable, type AspectRules, type AspectSkill } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sigmoid } from '../maths/logistic.js';
import { aspectOdds, aspectsPlayed, loadings, type AspectSkills } from './effect.js';
import { afterResult, aspectsAtSeasonStart, checkAspects, mostAspects, ratedAspects } from './filter.js';

const skill = (name: string, mean: number, variance = 0.04, matches = 3): AspectSkill => ({
  name,
  mean,
  variance,
  matches,
});

/** A duel of a player on a side against an opponent without sides. */
function duel(skills: AspectSkills, won: boolean, common: number, rules: AspectRules): AspectSkills {
  const names = [[['side:alien']], [[]]];
  const chance = sigmoid(common + (skills.find(({ name }) => name === 'side:alien')?.mean ?? 0));
  const result = afterResult(
    {
      names,
      skills: [[skills], [[]]],
      chances: [chance, 1 - chance],
      ranks: won ? [1, 2] : [2, 1],
      factor: 1,
    },
    rules,
  );
  return result[0]?.[0] ?? [];
}

/** Mean and standard deviation of the exact posterior of one side's skill, by integration over a grid. */
function posterior(games: readonly { won: boolean; common: number }[], strength: number) {
  const points = Array.from({ length: 4_001 }, (_, i) => strength * 8 * (i / 2_000 - 1));
  const logs = points.map((x) =>
    games.reduce(
      (sum, { won, common }) => sum + Math.log(sigmoid((won ? 1 : -1) * (common + x))),
      -(x * x) / (2 * strength * strength),
    ),
  );
  const top = Math.max(...logs);
  const weights = logs.map((log) => Math.exp(log - top));
  const total = weights.reduce((sum, each) => sum + each, 0);
  const mean = points.reduce((sum, x, i) => sum + x * (weights[i] ?? 0), 0) / total;
  const variance = points.reduce((sum, x, i) => sum + (x - mean) ** 2 * (weights[i] ?? 0), 0) / total;
  return { mean, sd: Math.sqrt(variance) };
}

describe('R23 the filter of one player’s side', () => {
  it.each([
    [0.1, 10, 0.1],
    [0.3, 40, 0.1],
    [0.3, 400, 0.3],
    // A step from the prior's mean is coarse while a match moves it far.
    [1, 30, 0.5],
    [1, 300, 0.5],
  ])('is near the exact posterior: strength %d, %d games', (strength, count, near) => {
    const random = seededRandom(count);
    for (const truth of [-strength, 0, 2 * strength]) {
      const games = Array.from({ length: count }, () => {
        const common = 2 * random() - 1;
        return { common, won: random() < sigmoid(common + truth) };
      });
      const [found] = games.reduce<AspectSkills>(
        (skills, { won, common }) => duel(skills, won, common, { side: strength }),
        [],
      );
      const exact = posterior(games, strength);
      expect(Math.abs((found?.mean ?? NaN) - exact.mean)).toBeLessThan(near * exact.sd);
      expect(Math.sqrt(found?.variance ?? NaN) / exact.sd).toBeGreaterThan(0.85);
      expect(Math.sqrt(found?.variance ?? NaN) / exact.sd).toBeLessThan(1.15);
      expect(found?.matches).toBe(count);
    }
  });

  it('is shrunk to the common skill by the number of matches', () => {
    const after = (count: number): number =>
      Array.from({ length: count }).reduce<AspectSkills>(
        (skills) => duel(skills, true, 0, { side: 0.3 }),
        [],
      )[0]?.mean ?? NaN;
    expect(after(1)).toBeCloseTo((0.09 * 0.5) / (1 + 0.25 * 0.09), 12);
    expect(after(1)).toBeLessThan(after(5));
    expect(after(5)).toBeLessThan(after(50));
  });
});

const shape = fc
  .record({
    sizes: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 2, maxLength: 5 }),
    seed: fc.integer({ min: 1, max: 1e9 }),
    strength: fc.double({ min: 0.01, max: 5, noNaN: true }),
    factor: fc.constantFrom(0, 0.5, 1, 2),
  })
  .map(({ sizes, seed, strength, factor }) => {
    const random = seededRandom(seed);
    const of = <T>(each: () => T): T[][] => sizes.map((size) => Array.from({ length: size }, each));
    const odds = sizes.map(() => 4 * random());
    const total = odds.reduce((sum, each) => sum + each, 0);
    return {
      rules: { side: strength, map: strength } satisfies AspectRules,
      names: sizes.map((size, t) => Array.from({ length: size }, () => [`side:${t % 2}`, 'map:x'])),
      skills: of(() =>
        random() < 0.5 ? [] : [skill('map:x', random() - 0.5, strength ** 2 * (0.1 + 0.9 * random()), 7)],
      ),
      shares: of(() => (random() < 0.2 ? 0 : random())),
      chances: odds.map((each) => each / total),
      ranks: sizes.map(() => 1 + Math.floor(random() * 3)),
      factor,
    };
  });

describe('R23 the filter of a match', () => {
  it('never grows a variance, nor leaves one that is not above 0', () => {
    fc.assert(
      fc.property(shape, ({ rules, ...result }) => {
        afterResult(result, rules).forEach((team, t) =>
          team.forEach((skills, p) => {
            for (const { name, mean, variance, matches } of skills) {
              const before = result.skills[t]?.[p]?.find((each) => each.name === name);
              expect(Number.isFinite(mean)).toBe(true);
              expect(variance).toBeGreaterThan(0);
              expect(variance).toBeLessThanOrEqual(before?.variance ?? rules.side ** 2);
              const counts = result.factor > 0 && result.shares[t]?.[p];
              expect(matches).toBe((before?.matches ?? 0) + (counts ? 1 : 0));
            }
          }),
        );
      }),
    );
  });

  it('moves winners up and losers down, and nobody without a share', () => {
    fc.assert(
      fc.property(shape, ({ rules, ...given }) => {
        const ranks = given.ranks.map((_, t) => t + 1);
        const after = afterResult({ ...given, ranks, factor: 1 }, rules);
        const mean = (skills: AspectSkills = []): number =>
          skills.find(({ name }) => name === 'map:x')?.mean ?? 0;
        const moves = after.map((team, t) =>
          team.map((skills, p) => mean(skills) - mean(given.skills[t]?.[p])),
        );
        for (const move of moves[0] ?? []) expect(move).toBeGreaterThanOrEqual(0);
        for (const move of moves.at(-1) ?? []) expect(move).toBeLessThanOrEqual(0);
        const absent = given.shares.flatMap((team, t) =>
          team.flatMap((share, p) => (share === 0 ? [[t, p] as const] : [])),
        );
        for (const [t, p] of absent) expect(after[t]?.[p]).toBe(given.skills[t]?.[p]);
      }),
    );
  });

  it('counts players of one team alike, however they are listed', () => {
    fc.assert(
      fc.property(shape, ({ rules, ...given }) => {
        const turned = <T>(of: readonly (readonly T[])[]): T[][] => of.map((team) => team.toReversed());
        const there = afterResult(given, rules);
        const back = afterResult(
          {
            ...given,
            names: turned(given.names),
            skills: turned(given.skills),
            shares: turned(given.shares),
          },
          rules,
        );
        there.forEach((team, t) =>
          team.forEach((skills, p) => {
            const twin = back[t]?.[team.length - 1 - p] ?? [];
            expect(twin.map(({ name }) => name)).toEqual(skills.map(({ name }) => name));
            twin.forEach(({ mean }, i) => expect(mean).toBeCloseTo(skills[i]?.mean ?? NaN, 9));
          }),
        );
      }),
    );
  });

  it('learns nothing from aspects that the pool gives no weight', () => {
    const names = [[['side:a']], [['side:b']]];
    const result = { names, skills: [[[]], [[]]], chances: [0.5, 0.5], ranks: [1, 2], factor: 0 };
    expect(afterResult(result, { side: 1 })).toEqual([[[]], [[]]]);
  });

  it('takes tied pairs of a race for nothing, and a draw for half a win', () => {
    const names = [[['side:a']], [['side:b']], [['side:c']]];
    const even = { names, skills: [[[]], [[]], [[]]], chances: [1 / 3, 1 / 3, 1 / 3], factor: 1 };
    const mean = (ranks: number[], t: number): number =>
      afterResult({ ...even, ranks }, { side: 1 })[t]?.[0]?.[0]?.mean ?? NaN;
    expect(mean([1, 1, 1], 0)).toBe(0);
    expect(mean([1, 2, 2], 1)).toBeLessThan(0);
    expect(mean([1, 2, 2], 1)).toBe(mean([1, 2, 2], 2));
    expect(mean([1, 2, 3], 1)).toBeCloseTo(0, 12);
  });
});

describe('the effect of aspects on a team', () => {
  it('has the standard deviation of one skill, in teams of any size, and does not favour the larger team', () => {
    for (const size of [1, 2, 5, 22]) {
      const names = [Array.from({ length: size }, () => ['side:a']), Array.from({ length: size }, () => [])];
      const [weights = []] = loadings({ names });
      expect(weights.reduce((sum, each) => sum + each * each, 0)).toBeCloseTo(1, 12);
    }
    const uneven = [Array.from({ length: 5 }, () => ['side:a']), Array.from({ length: 3 }, () => ['side:a'])];
    const skills = uneven.map((team) => team.map(() => [skill('side:a', 0.2)]));
    const [more = NaN, fewer = NaN] = aspectOdds({ names: uneven, skills });
    expect(more).toBeCloseTo(fewer, 12);
    expect(more).toBeCloseTo(0.2 * 2, 12);
  });

  it('counts the share of each player', () => {
    const names = [[['side:a'], ['side:a']], [[]]];
    const skills = [[[skill('side:a', 1)], []], [[]]];
    const odds = (share: number): number =>
      aspectOdds({ names, skills, shares: [[share, 1], [1 + share]] })[0] ?? NaN;
    expect(odds(0)).toBe(0);
    expect(odds(0.5)).toBeLessThan(odds(1));
  });

  it('is of what the rules rate, and of what is known of the match', () => {
    const teams = [['ann'], ['ben']];
    const situation = { sides: ['alien', 'marine'], map: 'veil', venue: 'here' };
    const facts = [[{ role: 'healer' }], [{}]];
    const played = (rules: AspectRules): unknown => aspectsPlayed(rules, teams, situation, facts);
    expect(played({ side: 1, role: 1 })).toEqual([[['side:alien', 'role:healer']], [['side:marine']]]);
    expect(played({ map: 1, venue: 1 })).toEqual([
      [['map:veil', 'venue:here']],
      [['map:veil', 'venue:here']],
    ]);
    expect(aspectsPlayed({ side: 1, map: 1, role: 1 }, teams, {}, undefined)).toEqual([[[]], [[]]]);
  });
});

describe('the aspects of a player', () => {
  it('are bounded: of those with the fewest matches the one played longest ago is forgotten', () => {
    const rules = { map: 0.3 };
    let skills: AspectSkills = [];
    const play = (map: string): void => {
      const names = [[[`map:${map}`]], [[]]];
      const result = { names, skills: [[skills], [[]]], chances: [0.5, 0.5], ranks: [1, 2], factor: 1 };
      skills = afterResult(result, rules)[0]?.[0] ?? [];
    };
    play('often');
    play('often');
    for (let i = 0; i < 100; i++) play(`map${i}`);
    expect(skills).toHaveLength(mostAspects);
    expect(skills[0]).toMatchObject({ name: 'map:often', matches: 2 });
    expect(skills.at(-1)?.name).toBe('map:map99');
    expect(skills[1]?.name).toBe(`map:map${100 - mostAspects + 1}`);
  });

  it('are those that the rules rate', () => {
    const skills = [skill('side:a', 1), skill('map:x', 1)];
    expect(ratedAspects(skills, { side: 1, map: 1 })).toBe(skills);
    expect(ratedAspects(skills, { map: 1 })).toEqual([skill('map:x', 1)]);
  });

  it('keep their share at the start of a season, and are as uncertain as the season says', () => {
    const rules = { side: 0.5 };
    const before = [skill('side:a', 0.4, 0.01, 9)];
    expect(aspectsAtSeasonStart(before, rules, { keep: 0.5, uncertainty: 0.5 })).toEqual([
      skill('side:a', 0.2, 0.0625, 9),
    ]);
    expect(aspectsAtSeasonStart(before, rules, { keep: 1, uncertainty: 0 })).toEqual(before);
  });
});

describe('rules of aspects', () => {
  it.each<[object, RegExp]>([
    [{ side: 0 }, /strength of the aspect "side" must be above 0 and at most 10, not 0/],
    [{ map: NaN }, /not NaN/],
    [{ map: 11 }, /not 11/],
    [{ faction: 1 }, /There is no aspect "faction"; there are side, map, venue, role\./],
  ])('refuse %o', (rules, says) => {
    expect(() => checkAspects(rules)).toThrow(Unsolvable);
    expect(() => checkAspects(rules)).toThrow(says);
  });
});
