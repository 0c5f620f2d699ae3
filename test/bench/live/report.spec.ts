import type { MatchFigures } from '@muster/lab-simulation';
import { communityServer } from '@muster/lab-simulation';
import { describe, expect, it } from 'vitest';
import { policies } from '@muster/live-balance';
import { contenders } from './contenders.js';
import { typicalMatch } from './plots.js';
import { jsonOf, rowOf, tableOf } from './report.js';

const match = (fairShare: number, moves = 0): MatchFigures => ({
  fairShare,
  stompShare: 0,
  unfairness: 0,
  moves,
  playersMoved: moves,
  alive: 0,
  left: 0,
  leftMoved: 0,
  refused: 0,
});
const plain = (_: boolean, text: string): string => text;
const nothing = [match(0.1), match(0.3)];
const better = [match(0.3, 2), match(0.4, 1)];

describe('the report on live balance', () => {
  it('shows the lift of each policy, and ends with a line of JSON', () => {
    const rows = [rowOf('none', nothing, nothing), rowOf('hive', better, nothing)];
    expect(rows[1]!.lift).toBeCloseTo(0.15, 12);
    expect(rows[1]!.liftError).toBeCloseTo(0.05, 12);
    expect(JSON.parse(jsonOf(rows, { seed: 1 }))).toMatchObject({
      policies: [
        { policy: 'none', fairShare: 0.2, movesPerMatch: 0, playersMovedPerMatch: 0 },
        { policy: 'hive', fairShare: 0.35, movesPerMatch: 1.5, playersMovedPerMatch: 1.5 },
      ],
      seed: 1,
    });
    expect(tableOf(rows, plain)).toContain('≥ 10 points: met');
    expect(tableOf([rows[0]!, rowOf('hive', [match(0.15), match(0.3)], nothing)], plain)).toContain('missed');
  });

  it('has every built-in policy once', () => {
    const names = contenders.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
    expect(names).toEqual(expect.arrayContaining(Object.keys(policies)));
  });

  it('draws the match of ten per team that is nearest to the means', () => {
    // Matches 2, 6 and 10 have ten per team; their means are 0.2 and 0.4.
    const shares = new Map([
      [2, [0, 0.2]],
      [6, [0.2, 0.3]],
      [10, [0.4, 0.7]],
    ]);
    const of = (side: 0 | 1): MatchFigures[] =>
      Array.from({ length: 12 }, (_, number) => match(shares.get(number)?.[side] ?? 0.2));
    const simulation = { server: communityServer, start: 'even', matches: 12, seed: 1 } as const;
    expect(typicalMatch(simulation, of(0), of(1))).toBe(6);
  });
});
