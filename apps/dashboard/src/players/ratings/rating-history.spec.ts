import type { OperatorClient } from '@muster/sdk';
import { describe, expect, it } from 'vitest';
import { beliefOf, courseOf, readHistory, thinned, type Change, type Point } from './rating-history.js';

const change = (sequence: number, more: Partial<Change> = {}): Change => ({
  sequence,
  kind: 'match',
  eventId: `mat_${sequence}`,
  at: sequence * 10,
  by: null,
  reason: null,
  version: 1,
  before: null,
  after: { mu: sequence, sigma: 2 },
  ...more,
});

/** A client whose player has these changes. */
function clientOf(changes: readonly Change[]) {
  const asked: unknown[] = [];
  const client = {
    ratingHistory: (_pool: string, _player: string, query: { limit: number; to?: number }) => {
      asked.push(query);
      const { limit, to = Infinity } = query;
      const found = changes.toSorted((a, b) => b.sequence - a.sequence).filter(({ at }) => at < to);
      return Promise.resolve({ changes: found.slice(0, limit) });
    },
  } as unknown as OperatorClient;
  return { client, asked };
}

describe('a player’s history', () => {
  it('is read to its beginning, each row once', async () => {
    const all = Array.from({ length: 2_500 }, (_, i) => change(i + 1));
    const { client, asked } = clientOf(all);
    const read = await readHistory(client, 'duel', 'ann', Infinity);
    expect(read.map(({ sequence }) => sequence)).toEqual(all.map(({ sequence }) => sequence).toReversed());
    expect(asked).toHaveLength(3);
  });

  it('keeps a match that was recorded long after it was played', async () => {
    const all = Array.from({ length: 1_500 }, (_, i) => change(i + 1, i === 505 ? { at: 20 } : {}));
    expect(await readHistory(clientOf(all).client, 'duel', 'ann', Infinity)).toHaveLength(1_500);
  });

  it('ends where a page has but one time', async () => {
    const all = Array.from({ length: 3_000 }, (_, i) => change(i + 1, { at: i < 1_000 ? i : 5_000 }));
    const read = await readHistory(clientOf(all).client, 'duel', 'ann', Infinity);
    expect(read.length).toBeGreaterThanOrEqual(2_000);
  });

  it('is read in part', async () => {
    const { client, asked } = clientOf(Array.from({ length: 500 }, (_, i) => change(i + 1)));
    expect(await readHistory(client, 'duel', 'ann', 100)).toHaveLength(100);
    expect(asked).toHaveLength(1);
  });
});

describe('the course of a rating', () => {
  it('is of the ledger in force, with rising times', () => {
    const changes = [
      change(3, { at: 30 }),
      change(3, { kind: 'rebuild', after: { mu: 99, sigma: 1 } }),
      change(2, { at: 30 }),
      change(1, { kind: 'void', after: { mu: 98, sigma: 1 } }),
      change(1, { after: null }),
    ];
    expect(courseOf(changes)).toEqual([
      { at: 30, mu: 2, sigma: 2 },
      { at: 31, mu: 3, sigma: 2 },
    ]);
    expect(beliefOf({ mu: 'x', sigma: 1 })).toBeNull();
  });

  it('keeps its ends and peaks when it is thinned', () => {
    const course = Array.from({ length: 5_000 }, (_, i): Point => ({
      at: i,
      mu: Math.sin(i / 90),
      sigma: 1,
    }));
    const peaked = course.with(2_345, { at: 2_345, mu: 50, sigma: 1 });
    const drawn = thinned(peaked, 100);
    expect(drawn.length).toBeLessThanOrEqual(400);
    expect(drawn[0]).toEqual(peaked[0]);
    expect(drawn.at(-1)).toEqual(peaked.at(-1));
    expect(drawn.some(({ mu }) => mu === 50)).toBe(true);
    expect(drawn.map(({ at }) => at)).toEqual(drawn.map(({ at }) => at).toSorted((a, b) => a - b));
    expect(thinned(course.slice(0, 10), 100)).toHaveLength(10);
  });
});
