import { describe, expect, it } from 'vitest';
import { communityPartyBonus, greedy } from './greedy.js';
import type { PartyPlayer } from './sums.js';

const named = (weights: readonly number[], party: readonly number[] = []): PartyPlayer[] =>
  weights.map((weight, i) => ({ id: `p${i}`, weight, ...(party.includes(i) ? { party: 'x' } : {}) }));

describe('greedy', () => {
  it('gives the heaviest to the lighter team', () => {
    // 8 | 7; 7 + 6; 8 + 5; 13 | 13, so 4 to the first. The best is even: 8 + 7 against 6 + 5 + 4.
    expect(greedy(named([8, 7, 6, 5, 4]))).toMatchObject({
      teams: [
        ['p0', 'p3', 'p4'],
        ['p1', 'p2'],
      ],
      sums: [17, 13],
      difference: 4,
      operations: 5,
    });
  });

  it('respects team sizes', () => {
    expect(greedy(named([10, 1, 1, 1]), { teamSizes: [2, 2] })).toMatchObject({ sums: [11, 2] });
    expect(greedy(named([10, 1, 1, 1]))).toMatchObject({ sums: [10, 3] });
    expect(greedy(named([6, 5, 4, 3, 2, 1]), { teamSizes: [2, 2, 2] })).toMatchObject({ sums: [7, 7, 7] });
  });

  it('places parties first, with the bonus, in teams of any size as proposed', () => {
    const weights = [7, 6, 5.5, 5.5, 5, 5, 5, 5, 3, 2, 2, 1.5, 0.5, 0.5, 0.5];
    const teams = greedy(named(weights, [0, 1, 2]), { partyBonus: communityPartyBonus });

    // 18.5 · 1.2 = 22.2 | 5.5 and four times 5; 3 and 2 | 2; 1.5 | three times 0.5: 28.7 against 29 with the bonus
    expect(teams?.teams.map((team) => team.length)).toEqual([6, 9]);
    expect(teams?.sums).toEqual([25, 29]);
  });

  it('has a bonus by size', () => {
    expect([1, 2, 3, 4, 9].map(communityPartyBonus)).toEqual([1, 1.15, 1.2, 1.25, 1.25]);
  });

  it('gives up on a party for which earlier ones left no room', () => {
    const players: PartyPlayer[] = [
      { id: 'a1', weight: 9, party: 'a' },
      { id: 'a2', weight: 9, party: 'a' },
      { id: 'b1', weight: 5, party: 'b' },
      { id: 'b2', weight: 5, party: 'b' },
      { id: 'c1', weight: 1, party: 'c' },
      { id: 'c2', weight: 1, party: 'c' },
    ];
    expect(greedy(players, { teamSizes: [3, 3] })).toBeNull();
    expect(greedy(players, { teamSizes: [4, 2] })?.sums).toEqual([20, 10]);
  });

  it('is independent of the order of players', () => {
    const players = named([3, 1, 4, 1, 5, 9, 2, 6], [2, 5]);
    const rules = { teamSizes: [4, 4] };
    expect(greedy(players.toReversed(), rules)).toEqual(greedy(players, rules));
  });

  it('returns empty teams for no players', () => {
    expect(greedy([])).toEqual({
      teams: [[], []],
      sums: [0, 0],
      difference: 0,
      operations: 0,
      finished: true,
    });
  });
});
