import type { MatchRated } from '@muster/contracts';
import { beginSearch } from '@muster/skill';
import { describe, expect, it } from 'vitest';
import { searchAfterMatch } from './calibration-evidence.js';

const search = beginSearch({ from: 0, to: 60 });

type Player = MatchRated['players'][number];

const aPlayer = (over: Partial<Player> = {}): Player => ({
  playerId: 'ann',
  matches: 1,
  outcome: 1,
  opponents: 34,
  teammates: null,
  teamSize: 1,
  ...over,
});
const duel: MatchRated = {
  matchId: 'm1',
  pool: 'duel',
  players: [aPlayer()],
  meeting: {
    teams: [[{ playerId: 'ann', mu: 30, sigma: 10 }], [{ playerId: 'bob', mu: 34, sigma: 1 }]],
    ranks: [1, 2],
  },
};

describe('a search after a match', () => {
  it('records which players met', () => {
    const after = searchAfterMatch(search, duel, 'ann');
    expect(after).toMatchObject({ matches: 1, wins: 1 });
    expect(after.record).toMatchObject([
      { level: 34, outcome: 1, meeting: { matchId: 'm1', ...duel.meeting } },
    ]);
  });

  it('is unchanged when the match does not include the player', () => {
    expect(searchAfterMatch(search, duel, 'eve')).toBe(search);
    const { meeting: _, ...older } = duel;
    expect(searchAfterMatch(search, older, 'eve')).toBe(search);
  });

  it('accepts a match of the previous release, and gives it less weight', () => {
    const { meeting: _, ...older } = duel;
    const [of] = searchAfterMatch(search, older, 'ann').record;
    expect(of).toMatchObject({ level: 34, outcome: 1 });
    const [sure] = searchAfterMatch(search, duel, 'ann').record;
    expect(of?.scale).toBeGreaterThan(sure?.scale ?? NaN);
    const team = { ...older, players: [aPlayer({ teamSize: 5, opponents: 30, teammates: 28, outcome: 0 })] };
    expect(searchAfterMatch(search, team, 'ann').record).toMatchObject([
      { level: 5 * 30 - 4 * 28, outcome: 0 },
    ]);
  });
});
