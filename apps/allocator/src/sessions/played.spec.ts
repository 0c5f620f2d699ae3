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
});
