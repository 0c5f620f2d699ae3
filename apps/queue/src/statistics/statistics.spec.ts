import { describe, expect, it } from 'vitest';
import type { Queues } from '../rules/queues.js';
import { readCounts } from './distribution.js';
import type { NotedCounts } from './minutes.store.js';
import { rangeOf, Statistics } from './statistics.js';

const minuteMs = 60_000;
const noon = Date.UTC(2026, 10, 27, 12);

describe('the range of a question', () => {
  it('is the last hour by minutes, in whole steps', () => {
    expect(rangeOf({}, noon + 500)).toEqual({ from: noon - 60 * minuteMs, to: noon + minuteMs, step: '1m' });
  });

  it('has the finest step that gives at most 300 points, and never more', () => {
    const over = (hours: number) => rangeOf({ from: noon - hours * 60 * minuteMs }, noon);
    expect(
      [over(5), over(6), over(25), over(48)].map((range) => typeof range === 'string' || range.step),
    ).toEqual(['1m', '5m', '5m', '1h']);
    expect(rangeOf({ from: noon - 6 * 60 * minuteMs, step: '1m' }, noon)).toContain(
      'more than 300 steps of 1m',
    );
    expect(over(24 * 365)).toContain('ask for less time.');
  });

  it('lies in the past', () => {
    expect(rangeOf({ from: noon + 1 }, noon)).toContain('in the past');
    expect(rangeOf({ to: noon + 10 * minuteMs }, noon)).toEqual(rangeOf({}, noon));
  });
});

describe('statistics', () => {
  /** Notes of a queue; the last is of now. */
  const notes: readonly [at: number, counts: string][] = [
    [0, ''],
    [1, 'accepted 4 notes 1 waiting 3'],
    // The service was down for three minutes.
    [5, 'accepted 5 notes 2 waiting 3 gap:10 1 waited:0 10'],
    [Infinity, 'accepted 9 notes 3 waiting 9 gap:10 2 waited:0 20'],
  ];
  const minutes = {
    at: async (queue: string, times: readonly number[]): Promise<NotedCounts[]> =>
      times.map((time) => {
        const note = notes.find(([at]) => noon + at * minuteMs >= time) ?? notes[0];
        return { id: String(note?.[0]), counts: readCounts(queue === '' ? '' : (note?.[1] ?? '')) };
      }),
  };
  const queues = { all: [], named: (name: string) => ({ name }) as ReturnType<Queues['named']> };
  const statistics = new Statistics(
    minutes,
    queues,
    { withNewest: async (_, read) => read() },
    { now: () => noon },
  );

  it('have a point for each step in which somebody looked, and a total of all', async () => {
    const range = { from: noon, to: noon + 6 * minuteMs, step: '1m' } as const;
    const { queues: read, relativeError } = await statistics.read(range, 'duel');
    const [{ total, points } = { total: null, points: [] }] = read;
    expect(relativeError).toBe(0.1);
    expect(points.map(({ at, accepted, waiting }) => [(at - noon) / minuteMs, accepted, waiting])).toEqual([
      [0, 4, 3],
      [1, 1, 0],
      [5, 4, 6],
    ]);
    expect(total).toMatchObject({ accepted: 9, waiting: 3, matches: 2, matched: 20, expired: 0 });
    expect(total?.matchMs).toEqual({ p50: 100, p95: 100 });
    expect(total?.teamGap?.p50).toBeCloseTo(0.67, 1);
    expect(total?.favouriteLead).toBeNull();
  });

  it('are empty, not zero, where nobody looked', async () => {
    const { queues: read, realm } = await statistics.read(
      { from: noon - 9 * minuteMs, to: noon, step: '1m' },
      'duel',
    );
    expect(read[0]?.points).toEqual([]);
    expect(read[0]?.total).toMatchObject({ waiting: null, accepted: 0, matchMs: null });
    expect(realm).toEqual({ total: { slots: null, deadJobs: null, retryingJobs: null }, points: [] });
  });
});
