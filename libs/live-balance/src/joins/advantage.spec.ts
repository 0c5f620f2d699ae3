import { message } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rosters, teams } from '../../test-support/rosters.js';
import { handicap, type Advantage, type Lever } from './advantage.js';
import type { Roster } from '../roster/roster.js';

const advantage = (roster: Roster, levers: readonly Lever[] = []): Advantage =>
  handicap(roster, { rules: [], levers });
const named = { teamNames: ['Red', 'Blue'] };

describe('the remaining advantage (L5)', () => {
  it('gives Red 1.1, as the source states', () => {
    const found = advantage({ ...teams([50, 50], [60, 50]), ...named });

    expect(found).toMatchObject({ strongest: 1, weakest: 0, advice: [] });
    expect(found.factor).toBeCloseTo(1.1);
    expect(found.factors[1]).toBe(1);
    expect(found.why).toEqual([
      message('advantage.factor', { weak: 'Red', strong: 'Blue', factor: 1.1, left: null }),
    ]);
  });

  it.each([
    ['even teams', teams([5, 5], [10]), 1, message('advantage.even')],
    ['a team without players', teams([5, 5], []), null, message('advantage.no-players', { team: 1 })],
    ['a team without strength', teams([5, 5], [0, 0]), null, message('advantage.no-strength', { team: 1 })],
    ['no players', teams([], []), 1, message('advantage.even')],
    [
      'negative ratings, raised by 4',
      teams([2, 2], [-2, 2]),
      1.5,
      message('advantage.factor', { weak: 1, strong: 0, factor: 1.5, left: null }),
    ],
  ])('of %s', (_, roster, factor, why) => {
    expect(advantage(roster)).toMatchObject({ factor, why: [why] });
  });

  it('counts bots with their own ratings, not as a mean', () => {
    const players = [...teams([8], [8]).players, { playerId: 'bot', team: 1, rating: 2, bot: true }];

    expect(advantage({ teams: 2, players, meanBot: 100 }).factor).toBe(1.25);
  });

  it('applies levers in order, each up to its limit', () => {
    const levers: Lever[] = [
      { kind: 'damage', most: 1.2 },
      { kind: 'respawn', usualSeconds: 5, mostSeconds: 15, meanLifeSeconds: 35 },
      { kind: 'shield', most: 2 },
    ];
    const { advice, left, factor } = advantage({ ...teams([10], [20]), ...named }, levers);

    expect(factor).toBe(2);
    // 2 = 1.2 · (35 + 15) / (35 + 5) · 4/3
    expect(
      advice.map(({ kind, team, value, atLimit }) => [kind, team, Math.round(value * 1e6) / 1e6, atLimit]),
    ).toEqual([
      ['damage', 0, 1.2, true],
      ['respawn', 1, 15, true],
      ['shield', 0, 1.333333, false],
    ]);
    expect(left).toBeCloseTo(1);
    expect(advice.map(({ why }) => why)).toEqual([
      [message('advantage.damage', { weak: 'Red', factor: 1.2 }), message('advantage.not-in-one-hit')],
      [
        message('advantage.respawn', { strong: 'Blue', seconds: 15, usual: 5 }),
        message('advantage.only-the-dead'),
      ],
      [message('advantage.shield', { weak: 'Red', factor: 1.33 }), message('advantage.not-in-one-hit')],
    ]);
  });

  it('reports what the levers cannot cover', () => {
    const found = advantage({ ...teams([10], [20]), ...named }, [{ kind: 'damage', most: 1.25 }]);

    expect(found.left).toBeCloseTo(1.6);
    expect(found.why).toEqual([
      message('advantage.factor', { weak: 'Red', strong: 'Blue', factor: 2, left: 1.6 }),
    ]);
  });

  it('covers the factor, never more, never past a limit', () => {
    const scale = (kind: 'damage' | 'shield'): fc.Arbitrary<Lever> =>
      fc.double({ min: 1, max: 3, noNaN: true }).map((most) => ({ kind, most }));
    const respawn = fc
      .tuple(fc.nat({ max: 10 }), fc.nat({ max: 20 }), fc.integer({ min: 1, max: 60 }))
      .map(([usualSeconds, more, meanLifeSeconds]): Lever => {
        return { kind: 'respawn', usualSeconds, mostSeconds: usualSeconds + more, meanLifeSeconds };
      });
    const levers = fc.array(fc.oneof(scale('damage'), scale('shield'), respawn), { maxLength: 4 });
    fc.assert(
      fc.property(rosters({ mostTeams: 3 }), levers, (roster, list) => {
        const { factor, factors, left, advice, strongest, weakest } = advantage(roster, list);

        for (const each of factors) expect(each ?? 1).toBeGreaterThanOrEqual(1);
        if (factor === null) return;
        expect(advice.reduce((product, { covers }) => product * covers, left) / factor).toBeCloseTo(1, 9);
        for (const { kind, team, value } of advice) {
          const limits = list.flatMap((lever) =>
            lever.kind === kind ? [lever.kind === 'respawn' ? lever.mostSeconds : lever.most] : [],
          );
          expect(value).toBeLessThanOrEqual(Math.max(...limits) + 1e-9);
          expect(team).toBe(kind === 'respawn' ? strongest : weakest);
        }
      }),
    );
  });

  it.each([
    [{ kind: 'damage', most: 0.9 }, 'at least 1'],
    [{ kind: 'respawn', usualSeconds: 5, mostSeconds: 4, meanLifeSeconds: 1 }, 'usualSeconds'],
    [{ kind: 'respawn', usualSeconds: 5, mostSeconds: 6, meanLifeSeconds: 0 }, 'meanLifeSeconds'],
  ] satisfies [Lever, string][])('refuses the lever %j', (lever, words) => {
    expect(() => advantage(teams([1], [2]), [lever])).toThrow(words);
  });
});
