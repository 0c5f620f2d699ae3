import { message } from '@muster/domain';
import { defaultQueues } from '@muster/matchmaking';
import { aTicket, MemoryTicketStore } from '@muster/testing';
import { describe, expect, it } from 'vitest';
import { Queues } from '../rules/queues.js';
import { KnownBuilds } from '../services/known-builds.js';
import { ExplainWaiting } from './explain-waiting.js';
import { QueuePool, QueuePools } from './queue-pool.js';

describe('the explanation of a waiting ticket', () => {
  it('tells an outdated client to update', async () => {
    const clock = { now: () => 1_000_000 };
    const store = new MemoryTicketStore();
    const queues = new Queues(defaultQueues);
    const pools = new QueuePools((name) => new QueuePool(name, queues, store, clock));
    const builds = new KnownBuilds(
      { builds: async () => ({ builds: ['1.10.0'], startsNone: true }) },
      clock,
      () => undefined,
    );
    const follow = { withNewest: <T>(_queue: string, step: () => T) => Promise.resolve(step()) };
    const explain = new ExplainWaiting(pools, follow, clock, builds);
    const whyOf = async (build: string) => {
      const ticket = aTicket({
        ticketId: build,
        queue: '1v1',
        build,
        enqueuedAt: 999_000,
        expiresAt: 9_000_000,
      });
      await store.enqueue({ ...ticket, players: [{ playerId: build, mu: 25, sigma: 8 }] }, 999_000);
      return (await explain.of(ticket))?.why;
    };
    expect((await whyOf('1.9.0'))?.[0]).toEqual(
      message('waiting.build-outdated', { build: '1.9.0', newer: ['1.10.0'] }),
    );
    expect(await whyOf('1.10.0')).toMatchObject([{ code: 'waiting.players' }]);
  });
});
