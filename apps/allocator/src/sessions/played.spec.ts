import { describe, expect, it } from 'vitest';
import { playedOf } from './played.js';

describe("the stats of a session's result", () => {
  it('are facts where models use them, and kept beside those where not', () => {
    const stats = { kills: 3, deaths: -1, damage: 900, hero: 'axe' };
    expect(playedOf({ winner: 0, players: [{ playerId: 'ann', stats }, { playerId: 'bob' }] })).toEqual({
      facts: { ann: { kills: 3 } },
      stats: { ann: { damage: 900, hero: 'axe' } },
    });
  });

  it('are bounded in number, length of names and size', () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`stat-${i}`, i]));
    const stats = { ['n'.repeat(41)]: 1, large: 1e13, kills: 'many', ...many };
    const { stats: kept, facts } = playedOf({ winner: 0, players: [{ playerId: 'ann', stats }] });
    expect(Object.keys(kept?.['ann'] ?? {})).toEqual(Array.from({ length: 32 }, (_, i) => `stat-${i}`));
    expect(facts).toBeUndefined();
  });
});
