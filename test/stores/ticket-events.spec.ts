import { eventCatalogue, type EventType } from '@muster/contracts';
import { connectRedis, realmRoot } from '@muster/redis';
import { aTicket, startTestRedis, testTime, type TestRedis } from '@muster/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PostgresEventLog, type LoggedEvent } from '../../apps/assignment/src/events/event-log.store.js';
import type { RedisTicketStore } from '../../apps/queue/src/core/ticket.store.js';
import { RedisTicketStream } from '../../apps/queue/src/core/ticket-stream.store.js';
import { CopyTicketEvents } from '../../apps/queue/src/ticket-events/copy-ticket-events.js';
import { PostgresTicketEvents } from '../../apps/queue/src/ticket-events/ticket-events.store.js';
import { UnwatchedTicketStore } from '../../apps/queue/test-support/ticket-store.js';
import { as } from '../support/database.js';
import { databaseForEach, range } from './fixtures.js';

const data = databaseForEach();
const root = realmRoot('ticket-events');
let server: TestRedis;
let redis: ReturnType<typeof connectRedis>;
let tickets: RedisTicketStore;
let gaps: number;
let copies: CopyTicketEvents;

beforeAll(async () => {
  server = await startTestRedis({ own: true });
  redis = connectRedis(server.url, { name: 'ticket-events', onError: () => undefined });
  tickets = new UnwatchedTicketStore(redis, root, null, () => null, true);
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});
beforeEach(async () => {
  await redis.flushall();
  gaps = 0;
  copies = replica();
});

/** A replica of the queue that copies. */
function replica(): CopyTicketEvents {
  const store = new PostgresTicketEvents(as('queue', data().db), 'ticket-events');
  return new CopyTicketEvents(store, new RedisTicketStream(redis, root), tickets, () => (gaps += 1));
}

/** A ticket that is queued and cancelled. */
async function cancelled(ticketId: string): Promise<void> {
  await tickets.enqueue(aTicket({ ticketId, players: [`player of ${ticketId}`] }), testTime);
  await tickets.cancel(ticketId, 'Enough.', testTime + 1);
}

async function copied(): Promise<LoggedEvent[]> {
  while (await copies.turn());
  const log = new PostgresEventLog(as('assignment', data().db));
  while ((await log.publish(500)) > 0);
  const { last } = await log.bounds();
  return (await log.after(0, [], last, 10_000))?.events ?? [];
}

describe('events of tickets', () => {
  it('are copied from when that began, with queue and players', async () => {
    await cancelled('before');
    expect(await copied()).toEqual([]);
    await cancelled('t1');
    const events = await copied();
    const of = { ticketId: 't1', queue: 'duel', players: ['player of t1'], enqueuedAt: testTime };
    expect(events).toMatchObject([
      {
        type: 'ticket.created',
        timestamp: new Date(testTime).toISOString(),
        data: { ...of, seq: 1, state: 'waiting' },
      },
      {
        type: 'ticket.cancelled',
        data: { ...of, seq: 2, state: 'cancelled' },
      },
    ]);
    for (const { type, data: told } of events)
      expect(eventCatalogue[type as EventType].data.strict().safeParse(told).error).toBeUndefined();
  });

  it('are copied once by replicas that copy at the same time', async () => {
    await copied();
    for (const n of range(30)) await cancelled(`t${n}`);
    await Promise.all([copies, replica(), replica()].map((each) => each.turn()));
    const told = (await copied()).map(({ type, data: { ticketId } }) => `${type} ${String(ticketId)}`);
    expect(told).toEqual(range(30).flatMap((n) => [`ticket.created t${n}`, `ticket.cancelled t${n}`]));
    expect(gaps).toBe(0);
  });

  it('are copied on after Redis lost them, which is told', async () => {
    await copied();
    await cancelled('t1');
    await copied();
    await redis.flushall();
    expect((await copied()).length).toBe(2);
    expect(gaps).toBe(1);
    await cancelled('t2');
    expect((await copied()).map(({ data: told }) => told['ticketId'])).toEqual(['t1', 't1', 't2', 't2']);
  });

  it('that were trimmed before they were copied are told as a gap', async () => {
    await copied();
    for (const n of range(3)) await cancelled(`t${n}`);
    await copied();
    for (const n of range(3)) await cancelled(`u${n}`);
    await redis.xtrim(`${root}:events`, 'MAXLEN', 1);
    expect((await copied()).at(-1)?.data).toMatchObject({ ticketId: 'u2' });
    expect(gaps).toBe(1);
  });
});
