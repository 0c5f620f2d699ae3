import { randomUUID } from 'node:crypto';
import type { TicketEvent } from '@muster/domain';
import { aTicket, anAssignment, startTestRedis, testTime, type TestRedis } from '@muster/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { connectRedis, realmRoot } from '@muster/redis';
import { feedBlockMs, RedisTicketFeed } from './ticket-feed.store.js';
import { SteppedTicketStore } from '../../test-support/ticket-store.js';
import { RedisTicketStore } from './ticket.store.js';

const soon = { timeout: 5_000, interval: 10 };
let server: TestRedis;
let admin: ReturnType<typeof connectRedis>;
let store: RedisTicketStore;
let root: string;
let feedName: string;
const errors: unknown[] = [];
const onError = (error: unknown): void => void errors.push(error);
let feed: RedisTicketFeed;
let following: Promise<void>;

beforeAll(async () => {
  server = await startTestRedis();
  admin = connectRedis(server.url, { name: 'admin', onError: () => undefined });
}, 30_000);

afterAll(async () => {
  admin.disconnect();
  await server.stop();
});

beforeEach(async () => {
  const id = randomUUID();
  root = realmRoot(`test-${id}`);
  feedName = `feed-${id}`;
  store = new SteppedTicketStore(admin, root);
  feed = new RedisTicketFeed(
    connectRedis(server.url, { name: feedName, blocking: true, silentMs: 3 * feedBlockMs, onError }),
    root,
    onError,
  );
});

afterEach(async () => {
  feed.stop();
  await following;
  const keys = await admin.keys(`${root}:*`);
  if (keys.length > 0) await admin.del(...keys);
});

/** The feed's connection as the server lists it, once it waits for events. */
async function reading(): Promise<string> {
  return vi.waitFor(async () => {
    const clients = String(await admin.client('LIST')).split('\n');
    const own = clients.find(
      (line) => line.includes(`name=muster-${feedName}`) && line.includes('cmd=xread'),
    );
    if (!own) throw new Error('the feed does not read yet');
    return own;
  }, soon);
}

async function follow(): Promise<void> {
  following = feed.follow();
  await reading();
}

function hear(ticketId: string): { events: TicketEvent[]; stop: () => void } {
  const events: TicketEvent[] = [];
  return { events, stop: feed.subscribe(ticketId, (event) => events.push(event)) };
}

/** A ticket with one event in the stream. */
async function proposed(ticketId: string, matchId = 'm1'): Promise<void> {
  await store.enqueue(aTicket({ ticketId }), testTime);
  const lease = await store.acquireLease('duel', 'matcher', 60_000);
  const proposal = { matchId, queue: 'duel', ticketIds: [ticketId], job: '{}', reason: 'A match.' };
  await store.propose(proposal, lease?.epoch ?? 0, 1_000, testTime);
}

async function play(ticketId: string, matchId: string): Promise<void> {
  await proposed(ticketId, matchId);
  await store.confirm(matchId, [ticketId], 'Found.', testTime);
  await store.assign(ticketId, anAssignment(matchId), 'Go.', testTime);
  await store.close(matchId, [ticketId], 'rated', 'Over.', testTime);
}

describe('RedisTicketFeed', () => {
  it('sends each subscriber the events of its ticket, complete and in order', async () => {
    await follow();
    const [one, also, other] = [hear('t1'), hear('t1'), hear('t2')];
    await Promise.all([play('t1', 'm1'), play('t2', 'm2')]);
    await vi.waitFor(() => {
      for (const { events } of [one, also, other]) expect(events).toHaveLength(4);
    }, soon);
    expect(one.events).toEqual(await store.eventsAfter('t1', 1));
    expect(also.events).toEqual(one.events);
    expect(other.events).toEqual(await store.eventsAfter('t2', 1));
  });

  it('sends the events of a call that fill several entries, and no first ones', async () => {
    await follow();
    const ids = Array.from({ length: 23 }, (_, i) => `t${i}`);
    const heard = ids.map(hear);
    const odd = 'quoted "t"';
    const quoted = hear(odd);
    await Promise.all([...ids, odd].map((ticketId) => store.enqueue(aTicket({ ticketId }), testTime)));
    expect(await admin.xlen(`${root}:events`)).toBe(0);
    await Promise.all(ids.map((id) => store.cancel(id, 'Enough.', testTime)));
    expect(await admin.xlen(`${root}:events`)).toBe(3);
    await store.cancel(odd, 'Enough.', testTime);
    await vi.waitFor(() => expect(quoted.events).toHaveLength(1), soon);
    for (const [i, { events }] of heard.entries()) {
      expect(events).toEqual([expect.objectContaining({ ticketId: ids[i], seq: 2, state: 'cancelled' })]);
      expect(events).toEqual(await store.eventsAfter(ids[i] ?? '', 1));
    }
  });

  it('sends events from now on, no earlier ones', async () => {
    await store.enqueue(aTicket({ ticketId: 't1' }), testTime);
    const { events } = hear('t1');
    await follow();
    await store.cancel('t1', 'Enough.', testTime);
    await vi.waitFor(() => expect(events).toHaveLength(1), soon);
    expect(events).toEqual(await store.eventsAfter('t1', 1));
  });

  it('stops sending to an unsubscribed listener, and continues with the others', async () => {
    await follow();
    const [leaves, stays] = [hear('t1'), hear('t1')];
    await proposed('t1');
    await vi.waitFor(() => expect(leaves.events).toHaveLength(1), soon);
    leaves.stop();
    leaves.stop();
    await store.confirm('m1', ['t1'], 'Found.', testTime);
    await vi.waitFor(() => expect(stays.events).toHaveLength(2), soon);
    expect(leaves.events).toHaveLength(1);
  });

  it('resumes after a lost connection, including the events in between', async () => {
    await follow();
    const { events } = hear('t1');
    await proposed('t1');
    await vi.waitFor(() => expect(events).toHaveLength(1), soon);
    const [, before] = /id=(\d+)/.exec(await reading()) ?? [];
    await admin.client('KILL', 'ID', before ?? '');
    await store.confirm('m1', ['t1'], 'Found.', testTime);
    await vi.waitFor(() => expect(events).toHaveLength(2), soon);
    expect(events).toEqual(await store.eventsAfter('t1', 1));
    const [, after] = /id=(\d+)/.exec(await reading()) ?? [];
    expect(after).not.toBe(before);
  });

  it('reports a gap after a lost connection, and when the stream was trimmed before it was read', async () => {
    await follow();
    let gaps = 0;
    feed.onGap(() => (gaps += 1));
    await store.enqueue(aTicket({ ticketId: 't1' }), testTime);
    const { events } = hear('t1');
    const [, id] = /id=(\d+)/.exec(await reading()) ?? [];
    await admin.client('KILL', 'ID', id ?? '');
    await vi.waitFor(() => expect(gaps).toBe(1), soon);
    await reading();

    const entry = JSON.stringify({ ticketId: 't1', seq: 9 });
    const script = `for i = 1, 2000 do redis.call('XADD', KEYS[1], 'MAXLEN', '=', 600, '*', 'e', ARGV[1]) end`;
    await admin.eval(script, 1, `${root}:events`, entry);
    await vi.waitFor(() => expect(gaps).toBe(2), soon);
    await vi.waitFor(() => expect(events.length).toBeGreaterThanOrEqual(600), soon);
  });

  it('continues after Redis lost the stream', async () => {
    await follow();
    const { events } = hear('t1');
    await proposed('t1');
    await vi.waitFor(() => expect(events).toHaveLength(1), soon);
    let gaps = 0;
    feed.onGap(() => (gaps += 1));
    const [, id] = /id=(\d+)/.exec(await reading()) ?? [];
    await admin.del(`${root}:events`);
    await admin.client('KILL', 'ID', id ?? '');
    await vi.waitFor(() => expect(gaps).toBe(1), soon);
    await reading();
    // An older id than the feed has seen: the clock of the new Redis is behind.
    await admin.xadd(`${root}:events`, '1-1', 'e', JSON.stringify({ ticketId: 't1', seq: 3 }));
    await vi.waitFor(() => expect(events).toHaveLength(2), soon);
  });

  it('survives a listener that fails', async () => {
    await follow();
    feed.subscribe('t1', () => {
      throw new Error('a bad listener');
    });
    const { events } = hear('t1');
    await proposed('t1');
    await store.confirm('m1', ['t1'], 'Found.', testTime);
    await vi.waitFor(() => expect(events).toHaveLength(2), soon);
  });

  it('ends when it is stopped', async () => {
    await follow();
    feed.stop();
    await expect(following).resolves.toBeUndefined();
  });
});
