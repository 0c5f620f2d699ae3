import { describe, expect, it, vi } from 'vitest';
import type { Memory } from '../core/ticket-memory.store.js';
import { WatchMemory, type WatchMemoryDependencies } from './watch-memory.js';

const whole: Memory = { state: 'whole', isOpen: true, lostAt: 0, loss: '' };
const lost: Memory = { state: 'claimed', isOpen: false, lostAt: 1_000, loss: 'a' };

/** A replica whose matches have so many pages, and whose tickets have so many. */
function aReplica(pages: { readonly matches: number; readonly tickets: number }, seen: () => Memory) {
  const asked: string[] = [];
  const looks: [string | null, number][] = [];
  const memory: WatchMemoryDependencies['memory'] = {
    look: (claimant, leaseMs) => {
      looks.push([claimant, leaseMs]);
      const now = seen();
      return Promise.resolve(
        claimant === null && now.state === 'claimed' ? { ...now, state: 'broken' } : now,
      );
    },
    remember: () => Promise.resolve(true),
    dissolveReadyChecks: () => Promise.resolve(false),
  };
  const tickets = {
    restoreAll: vi.fn<() => Promise<{ running: ReadonlySet<string>; restored: number } | null>>(() =>
      Promise.resolve({ running: new Set(), restored: 0 }),
    ),
    restore: vi.fn<
      (
        after: string,
        which: string,
        formedSince: number,
      ) => Promise<{ last: string | null; matchIds: string[]; restored: number }>
    >((after, which, formedSince) => {
      const page = Number(after) + 1;
      asked.push(`${formedSince === 0 ? which : `since ${formedSince}:`} matches ${page}`);
      return Promise.resolve({ last: page < pages.matches ? String(page) : null, matchIds: [], restored: 0 });
    }),
    release: (cursor: string) => {
      const page = Number(cursor) + 1;
      asked.push(`tickets ${page}`);
      return Promise.resolve({ cursor: page < pages.tickets ? String(page) : '0', released: 0 });
    },
  };
  const time = { now: 0 };
  const log = { info: () => undefined, warn: () => undefined };
  const clock = { now: () => time.now };
  const watch = new WatchMemory({
    memory,
    tickets,
    queues: { all: [] },
    pools: { forget: () => undefined },
    feed: { tellGap: () => undefined },
    database: { read: () => Promise.resolve(null) },
    clock,
    ids: { make: () => 'me' },
    log,
  });
  return { watch, tickets, asked, looks, time };
}

describe('a comparison after a loss', () => {
  it.each([
    [1, 1],
    [2, 3],
    [3, 2],
    [4, 1],
  ])('of %i pages of matches and %i of tickets reads each once', async (matches, tickets) => {
    const { watch, asked, time } = aReplica({ matches, tickets }, () => ({ ...whole, lostAt: 1_000 }));
    time.now = 40_000;
    await watch.look();
    while ((await watch.compare()) === 'recent');
    expect(asked).toEqual(Array.from({ length: matches }, (_, i) => `since -59000: matches ${i + 1}`));
    while ((await watch.compare()) === 'all');
    expect(asked.filter((each) => each.startsWith('all'))).toHaveLength(matches);
    expect(asked.filter((each) => each.startsWith('tickets'))).toHaveLength(tickets);
    // From then on a page now and then, of tickets that are missing alone.
    asked.length = 0;
    for (let i = 0; i <= matches; i++) expect(await watch.compare()).toBeNull();
    expect(asked).toEqual([
      ...Array.from({ length: matches }, (_, i) => `missing matches ${i + 1}`),
      'missing matches 1',
    ]);
  });

  it('is repeated until it began late enough', async () => {
    const { watch, asked, time } = aReplica({ matches: 1, tickets: 1 }, () => ({ ...whole, lostAt: 1_000 }));
    time.now = 2_000;
    await watch.look();
    for (let i = 0; i < 2; i++) while (await watch.compare());
    time.now = 31_000;
    for (let i = 0; i < 3; i++) while (await watch.compare());
    expect(asked).toEqual([
      ...Array.from({ length: 3 }, () => 'since -59000: matches 1'),
      'all matches 1',
      'tickets 1',
      'missing matches 1',
    ]);
  });

  it('of a process that starts long after the loss takes the matches of the last minutes first', async () => {
    const { watch, asked, time } = aReplica({ matches: 1, tickets: 1 }, () => ({ ...whole, lostAt: 1_000 }));
    time.now = 10_000_000;
    await watch.look();
    while (await watch.compare());
    expect(asked[0]).toBe('since 9340000: matches 1');
  });
});

describe('a replica that cannot restore', () => {
  it('gives its claim up, and leaves the next one to others', async () => {
    const { watch, tickets, looks, time } = aReplica({ matches: 1, tickets: 1 }, () => lost);
    tickets.restoreAll.mockRejectedValueOnce(new Error('assignment is away'));
    await expect(watch.look()).rejects.toThrow('assignment is away');
    expect(looks).toEqual([
      ['me', 15_000],
      ['me', 0],
    ]);
    time.now = 1_900;
    await watch.look();
    expect(looks.at(-1)).toEqual([null, 15_000]);
    time.now = 2_000;
    await watch.look();
    expect(tickets.restoreAll).toHaveBeenCalledTimes(2);
  });
});
