import { describe, expect, it } from 'vitest';
import { evenSizes, largestSizeDifference, maxOnTeam, problemOf } from './map-rules.js';

const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);

/** All partitions of players among teams, largest team first. */
function sharings(players: number, teams: number, most = players): number[][] {
  if (teams === 1) return players <= most ? [[players]] : [];
  return upTo(Math.min(most, players)).flatMap((first) =>
    sharings(players - first, teams - 1, first).map((rest) => [first, ...rest]),
  );
}

describe('mostOnTeam', () => {
  it.each([
    [17, 2, 9],
    [20, 2, 11],
    [24, 2, 13],
    [30, 2, 16],
    [12, 3, 6],
    [30, 3, 10],
    [32, 4, 8],
  ])('%i players in %i teams: at most %i on one', (players, teams, most) => {
    expect(maxOnTeam(players, teams)).toBe(most);
  });

  it('leaves a place for every player', () => {
    // 9/16 of 3, 5 and 7 is less than half of them rounded up, and 16 + 16 is less than 40.
    expect([3, 5, 7, 40].map((players) => maxOnTeam(players, 2))).toEqual([2, 3, 4, 20]);
  });
});

describe('largestSizeDifference', () => {
  it('allows two teams exactly the sizes that the cap allows', () => {
    for (const players of upTo(40).slice(1)) {
      const most = maxOnTeam(players, 2);
      const difference = largestSizeDifference(players, 2, most);
      for (const [larger = 0, smaller = 0] of sharings(players, 2).filter(([, b]) => (b ?? 0) > 0)) {
        expect(larger - smaller <= difference).toBe(larger <= most);
      }
    }
  });

  it('lets no team of many above the cap, and leaves even teams possible', () => {
    for (const teams of [3, 4, 5]) {
      for (const players of upTo(20).filter((count) => count >= teams)) {
        const most = maxOnTeam(players, teams);
        const difference = largestSizeDifference(players, teams, most);
        const allowed = sharings(players, teams).filter(
          (sizes) => (sizes[0] ?? 0) - (sizes.at(-1) ?? 0) <= difference,
        );
        expect(Math.max(...allowed.map(([largest = 0]) => largest))).toBeLessThanOrEqual(most);
        expect(allowed).toContainEqual(evenSizes(players, teams));
      }
    }
  });
});

describe('problemOf', () => {
  const rules = { min: 6, max: 12, target: 8, teams: 2, bot: 20 };
  const ann = { weight: 5, name: 'Ann' };

  it('distinguishes players of the same name', () => {
    const { players, teamSizes } = problemOf([ann, ann, { ...ann, weight: 7 }], rules);
    expect(players).toEqual([
      { id: '0', weight: 5 },
      { id: '1', weight: 5 },
      { id: '2', weight: 7 },
    ]);
    expect(teamSizes).toEqual([2, 1]);
  });

  it.each([
    [8, 8],
    [4, 6],
    [40, 12],
  ])('of a target of %i players makes %i places', (target, fillTo) => {
    expect(problemOf([ann, ann], { ...rules, target }).bots).toEqual({
      weight: 20,
      fillTo,
      maxSizeDifference: 1,
    });
  });
});
