import { describe, expect, it } from 'vitest';
import { calibrationMatchesOf, calibrationOf } from './calibration.js';
import type { Match } from '../played.js';

const match = (level: number | null, state: Match['state'] = 'rated') =>
  ({
    matchId: `mat_${level}`,
    state,
    ranks: [1, 2],
    players: [{ playerId: 'ann', team: 0, level, before: { mu: 25, sigma: 8 }, after: { mu: 27, sigma: 7 } }],
  }) as unknown as Match;

describe('the search for a newcomer’s level', () => {
  it('has a step for each rated match, up to its number', () => {
    const { state, steps } = calibrationOf(
      'ann',
      2,
      [],
      [match(25), match(1, 'abandoned'), match(31), match(40)],
    );
    expect(state).toBe('concluding');
    expect(steps.map(({ number, level, outcome, moved }) => [number, level, outcome, moved])).toEqual([
      [1, 25, 'won', 2],
      [2, 31, 'won', 2],
    ]);
  });

  it('says how far it is', () => {
    expect(calibrationOf('ann', 10, [], [match(25)]).state).toBe('running');
    expect(calibrationOf('ann', 10, [], []).state).toBe('not-begun');
    expect(calibrationOf('ann', 0, [], []).state).toBe('none');
    expect(calibrationOf('ann', 10, [{ kind: 'set', reason: 'known' }], []).state).toBe('given');
    const placed = calibrationOf(
      'ann',
      10,
      [{ kind: 'seed', reason: '10 calibration matches' }],
      [match(25)],
    );
    expect([placed.state, placed.why]).toEqual(['placed', '10 calibration matches']);
  });

  it('takes as many matches as the pool’s queues say', () => {
    const queues = [
      { pool: 'duel', calibrationMatches: 5 },
      { pool: 'duel', calibrationMatches: 10 },
      { pool: 'ctf', calibrationMatches: 20 },
    ] as unknown as Parameters<typeof calibrationMatchesOf>[0];
    expect(calibrationMatchesOf(queues, 'duel')).toBe(10);
    expect(calibrationMatchesOf(queues, 'ffa')).toBe(0);
  });
});
