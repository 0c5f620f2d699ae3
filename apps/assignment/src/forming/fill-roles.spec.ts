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
