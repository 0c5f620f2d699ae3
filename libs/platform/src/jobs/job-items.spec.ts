import {
  BackfillUpdate,
  BalanceSession,
  Conduct,
  FillSeatJob,
  FormTeamsJob,
  MatchJob,
  MatchRated,
  MatchUpdate,
  SeatFilled,
} from '@muster/contracts';
import { describe, expect, it } from 'vitest';
import { jobLimits, severalOf, together, type JobItem } from './job-items.js';

const items = (count: number, payload: unknown = { matchId: 'm' }): JobItem[] =>
  Array.from({ length: count }, (_, i) => ({ jobId: `job-${i}`, payload }));
const sizes = (jobs: readonly { readonly data: unknown }[]): number[] =>
  jobs.map(({ data }) => severalOf(data)?.length ?? 1);

describe('items sent together', () => {
  it('share jobs of limited numbers, in order', () => {
    const jobs = together(items(70));
    expect(sizes(jobs)).toEqual([jobLimits.items, jobLimits.items, 70 - 2 * jobLimits.items]);
    expect(jobs.flatMap(({ data }) => severalOf(data) ?? [])).toEqual(items(70));
    expect(together([])).toEqual([]);
  });

  it('share jobs of limited length; a longer item is alone, in the form of a single one', () => {
    const [long, short] = [{ text: 'x'.repeat(600) }, { text: 'x' }];
    const mixed = [short, short, long, short, short].map((payload, i) => ({ jobId: `${i}`, payload }));
    const jobs = together(mixed, { items: 32, characters: 500 });
    expect(sizes(jobs)).toEqual([2, 1, 2]);
    expect(jobs[1]).toEqual({ jobId: '2', data: long });
  });

  it('are the same job when they are sent again, and another job with another item', () => {
    const [first] = together(items(3));
    expect(together(items(3))).toEqual([first]);
    expect(together(items(4))[0]?.jobId).not.toBe(first?.jobId);
    // BullMQ takes no id of digits alone, and none with a colon.
    expect(first?.jobId).toMatch(/^items-[0-9a-f]{32}$/);
  });
});

describe('one item', () => {
  it('has the form that every release reads', () => {
    const [job] = together([{ jobId: 'rate-1', payload: { matchId: 'm1' } }]);
    expect(job).toEqual({ jobId: 'rate-1', data: { matchId: 'm1' } });
    expect(severalOf(job?.data)).toBeNull();
  });

  it.each([[null], ['items'], [[]], [{ items: [] }], [{ items: [{ jobId: 'a', payload: 1 }], more: 1 }]])(
    'is not taken for several when its payload is %j',
    (payload) => {
      expect(severalOf(payload)).toBeNull();
    },
  );
});

describe('a job of several', () => {
  it.each(
    Object.entries({
      FormTeamsJob,
      MatchJob,
      MatchUpdate,
      Conduct,
      MatchRated,
      BackfillUpdate,
      FillSeatJob,
      SeatFilled,
      BalanceSession,
    }),
  )('is refused by %s, so that the release before leaves it to a newer replica', (_, schema) => {
    const [job] = together(items(2));
    expect(schema.safeParse(job?.data).success).toBe(false);
  });
});
