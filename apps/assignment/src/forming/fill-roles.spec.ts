import { seededRandom } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillRoles } from './fill-roles.js';

const roleNames = ['tank', 'healer', 'scout'] as const;
const teams = fc
  .array(fc.uniqueArray(fc.constantFrom(...roleNames)), { maxLength: 6 })
  .map((all) => all.map((canPlay, i) => ({ playerId: `p${i}`, canPlay })));
const demands = fc.record({
  tank: fc.integer({ min: 0, max: 2 }),
  healer: fc.integer({ min: 0, max: 2 }),
  scout: fc.integer({ min: 0, max: 2 }),
});

/** The most places that can be filled, by brute force. */
function most(
  team: readonly { readonly canPlay: readonly string[] }[],
  demand: Record<string, number>,
): number {
  const [player, ...others] = team;
  if (!player) return 0;
  return Math.max(
    most(others, demand),
    ...player.canPlay
      .filter((role) => (demand[role] ?? 0) > 0)
      .map((role) => 1 + most(others, { ...demand, [role]: (demand[role] ?? 0) - 1 })),
  );
}

describe('roles of a team', () => {
  it('fills as many places as possible, each with a player who can', () => {
    fc.assert(
      fc.property(teams, demands, (team, demand) => {
        const filled = fillRoles(team, demand);
        expect(filled.size).toBe(most(team, demand));
        for (const [playerId, role] of filled)
          expect(team.find((player) => player.playerId === playerId)?.canPlay).toContain(role);
        for (const role of roleNames)
          expect([...filled.values()].filter((each) => each === role).length).toBeLessThanOrEqual(
            demand[role],
          );
      }),
    );
  });

  it('leaves the choice to players who have one', () => {
    const team = [
      { playerId: 'both', canPlay: ['tank', 'healer'] },
      { playerId: 'tank only', canPlay: ['tank'] },
    ];
    expect([...fillRoles(team, { tank: 1 })]).toEqual([['tank only', 'tank']]);
    expect(fillRoles(team, { tank: 1, healer: 1 }).get('both')).toBe('healer');
  });
});

describe('R23 roles by what players count in them', () => {
  const random = seededRandom(11);
  const roles = ['tank', 'healer', 'scout'];
  const drawn = Array.from({ length: 60 }, () => ({
    team: Array.from({ length: 1 + Math.floor(5 * random()) }, (_, i) => ({
      playerId: `p${i}`,
      canPlay: roles.filter(() => random() < 0.6),
      worth: roles.map(() => Math.round(20 * random() - 10)),
    })),
    demand: Object.fromEntries(roles.map((role) => [role, Math.floor(3 * random())])),
  }));

  /** The most places, and of those the largest sum, by trying everything. */
  function best({ team, demand }: (typeof drawn)[number]): { filled: number; worth: number } {
    let top = { filled: 0, worth: -Infinity };
    const place = (next: number, left: Record<string, number>, filled: number, worth: number): void => {
      const player = team[next];
      if (!player) {
        if (filled > top.filled || (filled === top.filled && worth > top.worth)) top = { filled, worth };
        return;
      }
      place(next + 1, left, filled, worth);
      for (const [r, role] of roles.entries())
        if (player.canPlay.includes(role) && (left[role] ?? 0) > 0)
          place(
            next + 1,
            { ...left, [role]: (left[role] ?? 0) - 1 },
            filled + 1,
            worth + (player.worth[r] ?? 0),
          );
    };
    place(0, demand, 0, 0);
    return top;
  }

  it('fill as many places as without, and the best of those', () => {
    for (const each of drawn) {
      const worthOf = (playerId: string, role: string): number =>
        each.team.find((player) => player.playerId === playerId)?.worth[roles.indexOf(role)] ?? 0;
      const filled = fillRoles(each.team, each.demand, worthOf);
      const worth = [...filled].reduce((sum, [playerId, role]) => sum + worthOf(playerId, role), 0);
      expect(filled.size).toBe(fillRoles(each.team, each.demand).size);
      expect({ filled: filled.size, worth }).toEqual(best(each));
    }
  });
});
