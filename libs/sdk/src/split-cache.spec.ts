import type { RoundSplits } from '@muster/contracts';
import { describe, expect, it } from 'vitest';
import { SplitCache } from './split-cache.js';

type Split = RoundSplits['splits'][number];
const proven = {
  status: 'proven',
  value: 0,
  lowerBound: 0,
  gap: 0,
  reason: 'exhausted',
  quantum: 0,
} as const;
const split = (size: number, teams: string[][], bench: string[]): Split => ({
  size,
  teams,
  bench,
  sums: [0, 0],
  difference: size,
  certificate: proven,
  method: 'm',
});
const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const kept = (): SplitCache => {
  const cache = new SplitCache();
  cache.keep({
    players: all.map((playerId) => ({ playerId, rating: 1 })),
    splits: [
      split(
        2,
        [
          ['a', 'b'],
          ['c', 'd'],
        ],
        ['e', 'f', 'g'],
      ),
      split(
        3,
        [
          ['a', 'e', 'c'],
          ['b', 'd', 'f'],
        ],
        ['g'],
      ),
    ],
    operations: 1,
    elapsedMs: 1,
  });
  return cache;
};

describe('SplitCache', () => {
  it('is empty at first', () => expect(new SplitCache().pick(all)).toBeNull());

  it.each<[string, string[], number | null, string[], boolean]>([
    ['the largest if all are present', all, 3, ['g'], false],
    ['a smaller one if a player of the largest has left', ['a', 'b', 'c', 'd', 'f'], 2, ['f'], true],
    ['the largest with newcomers waiting', [...all, 'new'], 3, ['g', 'new'], true],
    ['none if no split fits', ['b', 'c', 'd', 'e'], null, [], false],
  ])('gives %s', (_, present, size, bench, stale) => {
    const picked = kept().pick(present);
    if (size === null) expect(picked).toBeNull();
    else expect(picked).toMatchObject({ difference: size, bench, stale });
  });
});
