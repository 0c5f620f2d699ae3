import type { LeaderboardView } from '@muster/contracts';
import { describe, expect, it } from 'vitest';
import { inkFor } from '@muster/command-line/terminal/ink';
import { leaderboardText } from './leaderboard.js';

const plainInk = inkFor({}, {});

const ink = plainInk;
const board: LeaderboardView = {
  pool: 'ladder',
  region: 'eu',
  season: 2,
  players: 1_204,
  rows: [
    { rank: 1, playerId: 'ann', name: 'Ann the Bold', division: 'Gold', matches: 40, mu: 31.25 },
    { rank: 2, playerId: 'ben', name: null, division: 'Gold', matches: 12, mu: 30 },
  ],
  notRanked: null,
};

describe('a leaderboard', () => {
  it('is a table with ids and names', () => {
    const text = leaderboardText(board, null, ink).join('\n');
    expect(text).toContain('ladder, season 2, eu: 1,204 ranked players');
    expect(text).toMatch(/^ +1 {2}ann +Ann the Bold +Gold +31\.25 +40$/m);
    expect(text).toMatch(/^ +2 {2}ben +Gold +30 +12$/m);
  });

  it('says why a player is not on it', () => {
    const text = leaderboardText(
      { ...board, rows: [], notRanked: 'cid has no rated match in this pool.' },
      'cid',
      ink,
    );
    expect(text.at(-1)).toBe('cid has no rated match in this pool.');
  });
});
