import { describe, expect, it } from 'vitest';
import { textBytes } from '../match-file/bytes.js';
import { matchesOf, planHistory, type HistoryPlan, type TestMatch } from './history.js';

function read(...rows: string[]): {
  readonly matches: readonly TestMatch[];
  readonly refused: readonly string[];
  readonly plan: HistoryPlan;
} {
  const bytes = textBytes(['match_id,time,teams,ranks,context,shares', ...rows].join('\n'));
  const { plan, refusals } = planHistory(bytes, { situations: true });
  return { matches: [...matchesOf(bytes, plan)], refused: refusals.lines('f'), plan };
}

describe('the history of a file', () => {
  it('fills in unknown shares, and states whether the match is decided', () => {
    const { matches, plan, refused } = read(
      'm1,2024-01-01,a|b;c|d,1;2,,0.5|0;1|1',
      'm2,2024-01-02,a|b;c|e,1;1,,',
    );
    expect(refused).toEqual([]);
    expect(plan).toMatchObject({ matches: 2, players: 5, largestTeam: 2, decided: 1, scoredRaces: 0 });
    const third = expect.closeTo(2.5 / 3, 12) as number;
    expect(matches[0]).toMatchObject({
      isScored: true,
      tells: [],
      at: Date.UTC(2024, 0, 1),
      shares: [
        [0.5, third],
        [1, 1],
      ],
    });
    expect(matches[1]).toMatchObject({ isScored: false, shares: undefined, facts: undefined });
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
      'f, line 3 refused: players and shares differ in number: 2 and 1',
      'f, line 4 refused: it has 1 column where the header has 6',
      'f, line 5 refused: match_id "m1" is already in line 2',
    ]);
  });

  it('has the scores that end the context, where they agree with the ranks', () => {
    const row = (i: number, context: string): string =>
      `m${i},2024-01-01,a|b;c,${i % 2 === 0 ? '1;2' : '2;1'},${context},`;
    const agreeing = Array.from({ length: 40 }, (_, i) => row(i, i % 2 === 0 ? 'Oval:94-66' : 'Oval:2-12'));
    const [first, second] = read(...agreeing).matches;
    expect(first?.facts).toEqual([
      [
        { scoredFor: 94, scoredAgainst: 66 },
        { scoredFor: 94, scoredAgainst: 66 },
      ],
      [{ scoredFor: 66, scoredAgainst: 94 }],
    ]);
    expect(second?.facts?.[1]).toEqual([{ scoredFor: 12, scoredAgainst: 2 }]);
    expect(first?.tells).toEqual([]);
    const others = Array.from({ length: 40 }, (_, i) => row(i, 'Oval:94-66'));
    expect(read(...others).plan.hasScores).toBe(false);
  });

  it('scores the last four fifths of the decided matches', () => {
    const rows = Array.from({ length: 12 }, (_, i) => `m${i},2024-01-01,a;b,${i < 2 ? '1;1' : '1;2'},,`);
    const { matches } = read(...rows);
    expect(matches.filter(({ isScored }) => isScored).map(({ line }) => line)).toEqual([
      6, 7, 8, 9, 10, 11, 12, 13,
    ]);
  });

  it('is in order of time, also when the file is not', () => {
    const { matches, plan } = read(
      'm1,20240301,a;b;c,1;2;3,,',
      'm2,2024,a;b,1;2,,',
      'm3,2024-02-01,a/1;b c,2;1,,',
      'm4,2024-03-01,a;b,1;2,,',
    );
    expect(matches.map(({ matchId }) => matchId)).toEqual(['m2', 'm3', 'm1', 'm4']);
    expect(matches.map(({ line }) => line)).toEqual([3, 4, 2, 5]);
    expect(plan.scoredRaces).toBe(1);
  });
});
