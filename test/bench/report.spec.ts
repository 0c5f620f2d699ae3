import { describe, expect, it } from 'vitest';
import { poolsOf } from './pools.js';
import { aimsOf, growthOf, type RowReport } from './report.js';
import { tablesOf } from './table.js';

function report(more: Partial<RowReport>): RowReport {
  return {
    row: 'T1',
    weights: 'doubles',
    n: 24,
    shape: null,
    pools: 200,
    p50Ms: 1,
    p99Ms: 2,
    gosperP50Ms: 100,
    gosperCapped: false,
    enumerationP50Ms: null,
    enumerationCapped: false,
    ratio: 100,
    proven: 1,
    peakMb: 1,
    operations: 1_000,
    gosperOperations: 2_000,
    enumerationOperations: null,
    gap: 0,
    slowest: 'plain',
    ...more,
  };
}

describe('the report', () => {
  it('shows the targets that a row met and missed', () => {
    expect(aimsOf(report({ n: 24, ratio: 79 }))).toEqual({ met: [], missed: ['≥ 80×'] });
    expect(aimsOf(report({ n: 32, p99Ms: 5 }))).toEqual({ met: ['p99 ≤ 5 ms'], missed: [] });
    expect(aimsOf(report({ n: 28 }))).toEqual({ met: [], missed: [] });
  });

  it('shows the growth for four more players, also between sizes further apart', () => {
    const rows = [
      report({ n: 24, operations: 16_000, gosperOperations: null }),
      report({ n: 16, operations: 1_000 }),
    ];

    expect(growthOf(rows)).toEqual([
      expect.objectContaining({ from: 16, to: 24, ours: 4, gosper: null, enumeration: null }),
    ]);
  });

  it('marks cut-off values', () => {
    const table = tablesOf(
      [report({ gosperP50Ms: 20_000, gosperCapped: true, ratio: 20_000 })],
      (_, text) => text,
    );

    expect(table).toContain('| > 20,000 ');
    expect(table).toContain('≥ 80×: met');
  });
});

describe('the pools', () => {
  it('are the same for the same seed, and three of five are plain', () => {
    const pools = poolsOf('integers', 24, 20, 1, false);

    expect(pools).toEqual(poolsOf('integers', 24, 20, 1, false));
    expect(pools.filter(({ kind }) => kind === 'plain')).toHaveLength(12);
    expect(new Set(pools.map(({ kind }) => kind)).size).toBe(5);
    expect(pools.every(({ players }) => players.every(({ weight }) => Number.isInteger(weight)))).toBe(true);
  });
});
