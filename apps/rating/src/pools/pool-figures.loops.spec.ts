import type { RatedMatch, RatingPool } from '@muster/domain';
import { poolHealth } from '@muster/skill';
import { describe, expect, it } from 'vitest';
import { PoolFigures } from './pool-figures.loops.js';

const before = { matches: 0, drift: 0, newcomers: 0, converged: 0 };
/** A match of teams with these chances, which ended in their order. */
const rated = (sequence: number, chances: number[]): RatedMatch => ({
  sequence,
  at: sequence,
  ranks: chances.map((_, team) => team + 1),
  raw: chances,
  chances,
  features: chances.map(() => ({})),
  drift: 0,
  newcomers: 0,
  converged: 0,
});

describe('figures of a pool', () => {
  it('are those of its health, and are computed again after a rated match or in a new generation', async () => {
    const matches = Array.from({ length: 50 }, (_, i) =>
      rated(i, i % 2 === 0 ? [0.7, 0.3] : [0.2, 0.5, 0.3]),
    );
    let pool = { name: 'ladder', generation: 1, calibration: { scale: { mean: 1.5 } } } as RatingPool;
    const sources: Parameters<ConstructorParameters<typeof PoolFigures>[0]['add']>[0][] = [];
    let reads = 0;
    const figures = new PoolFigures(
      { add: (source) => void sources.push(source) },
      { pools: async () => [pool] },
      {
        newest: async () => (matches.length === 0 ? null : BigInt(matches.length)),
        predictions: async () => {
          reads++;
          return matches;
        },
      },
    );
    const expectHealth = async (): Promise<void> => {
      await figures.compute();
      const { logLoss, logLossMatches, calibrationScale } = (await sources[0]?.read()) ?? {};
      const labels = { pool: 'ladder' };
      const { logLoss: value } = poolHealth(before, matches, 1, 8).overall.calibrated;
      expect(logLoss).toEqual([{ labels, value: expect.closeTo(value, 12) as number }]);
      expect(logLossMatches).toEqual([{ labels, value: matches.length }]);
      expect(calibrationScale).toEqual([{ labels, value: 1.5 }]);
    };
    await expectHealth();
    await expectHealth();
    expect(reads).toBe(1);
    matches.push(rated(50, [0.9, 0.1]));
    await expectHealth();
    expect(reads).toBe(2);
    pool = { ...pool, generation: 2 };
    await expectHealth();
    expect(reads).toBe(3);
    matches.length = 0;
    pool = { ...pool, generation: 3 };
    await figures.compute();
    expect(await sources[0]?.read()).toMatchObject({ logLoss: [], logLossMatches: [] });
  });
});
