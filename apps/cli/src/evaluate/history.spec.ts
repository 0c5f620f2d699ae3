import { describe, expect, it } from 'vitest';
import { readMatches } from '../match-file/match-file.js';
import { historyOf } from './history.js';

const options = { situations: true };
const read = (...rows: string[]) =>
  historyOf(readMatches(['match_id,time,teams,ranks,context,shares', ...rows].join('\n'), 'p'), options);

describe('historyOf', () => {
  it('fills in unknown shares, and states whether the match is decided', () => {
    const { matches, players, refused } = read(
      'm1,2024-01-01,a|b;c|d,1;2,,0.5|0;1|1',
      'm2,2024-01-02,a|b;c|e,1;1,,',
    );
    expect(refused).toEqual([]);
    expect(players).toBe(5);
    const third = expect.closeTo(2.5 / 3, 12) as number;
    expect(matches[0]).toMatchObject({
      isDecided: true,
      tells: [],
      at: Date.UTC(2024, 0, 1),
      shares: [
        [0.5, third],
        [1, 1],
      ],
    });
    expect(matches[1]).toMatchObject({ isDecided: false, shares: undefined, facts: undefined });
  });

  it('uses ranks as places if each of three or more teams is one player', () => {
    expect(read('m1,2024-01-01,a;b;c,2;1;2,,').matches[0]).toMatchObject({
      tells: ['places'],
      facts: [[{ place: 2 }], [{ place: 1 }], [{ place: 2 }]],
    });
  });

  it('has no places for a duel: they would repeat the result', () => {
    expect(read('m1,2024-01-01,a;b,2;1,,').matches[0]).toMatchObject({ tells: [], facts: undefined });
  });

  it('rejects rows by line: malformed rows, malformed shares, and duplicate matches', () => {
    const { matches, refused } = read(
      'm1,2024-01-01,a;b,1;2,,',
      'm2,2024-01-01,a;b,1;2,,0.5',
      'oops',
      'm1,2024-01-02,a;b,2;1,,',
    );
    expect(matches).toHaveLength(1);
    expect(refused).toEqual([
      { line: 3, reason: 'players and shares differ in number: 2 and 1' },
      { line: 4, reason: 'it has 1 column where the header has 6' },
      { line: 5, reason: 'match_id "m1" is already in line 2' },
    ]);
  });
});
