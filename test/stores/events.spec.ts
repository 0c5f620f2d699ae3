import { eventCatalogue, type EventType } from '@muster/contracts';
import type { Sql } from '@muster/db';
import { defaultPoolRules } from '@muster/skill';
import { beforeEach, describe, expect, it } from 'vitest';
import { PostgresDeliveries, type Claim } from '../../apps/assignment/src/events/deliveries.store.js';
import { PostgresEventLog, type LoggedEvent } from '../../apps/assignment/src/events/event-log.store.js';
import { PostgresWebhooks } from '../../apps/assignment/src/events/webhooks.store.js';
import { as } from '../support/database.js';
import type { Db } from '../support/prisma.js';
import { RatingStores } from '../support/rating-stores.js';
import { databaseForEach, noon, range } from './fixtures.js';
import { House } from './house.js';
import { aPool } from './ledger-fixtures.js';

const data = databaseForEach();
let db: Db;
let log: PostgresEventLog;
let deliveries: PostgresDeliveries;
let webhooks: PostgresWebhooks;
beforeEach(() => {
  ({ db } = data());
  log = new PostgresEventLog(as('assignment', db));
  deliveries = new PostgresDeliveries(as('assignment', db));
  webhooks = new PostgresWebhooks(as('assignment', db));
});

const secret = [{ secret: 'whsec_c2VjcmV0', until: null }];
const body = (types: EventType[] = []) => ({ url: 'https://example.org/', types, note: '' });

/** Writes an event as a trigger does. */
async function emit(key: string, n = 0, on: Pick<Sql, '$executeRaw'> = db.$sql): Promise<void> {
  await on.$executeRaw`
    INSERT INTO event_outbox (type, order_key, data) VALUES ('match.formed', ${key}, jsonb_build_object('n', ${n}::int))`;
}

async function published(after = 0): Promise<LoggedEvent[]> {
  while ((await log.publish(500)) > 0);
  const { last } = await log.bounds();
  return (await log.after(after, [], last, 10_000))?.events ?? [];
}

/** What is due of one webhook, claimed for `leaseMs`. */
async function claimed(webhookId: string, limit = 10, leaseMs = 30_000): Promise<Claim[]> {
  const url = body().url;
  const others = (await webhooks.list()).map((webhook) => ({ webhookId: webhook.webhookId, url, free: 0 }));
  return deliveries.claim(
    [...others.filter((each) => each.webhookId !== webhookId), { webhookId, url, free: limit }],
    0,
    leaseMs,
  );
}

/** What was claimed and settles as delivered. */
async function take(webhookId: string, limit = 10): Promise<number[]> {
  const claims = await claimed(webhookId, limit);
  for (const claim of claims)
    await deliveries.settle(claim, { state: 'delivered', afterMs: 0, status: 204, error: null });
  return claims.map(({ event }) => Number(event.data['n']));
}

describe('the life of a match', () => {
  it('is told by events in order, with data of the catalogue’s form', async () => {
    const house = new House(db);
    const { pools, matches } = new RatingStores(as('rating', db));
    await pools.create(aPool('ladder', defaultPoolRules));
    await house.server('s1');
    const held = await house.live('m1');
    const reported = { winner: 0, players: [{ playerId: 'm1-a', habits: { device: 'x' } }] };
    await house.allocator.sessions.receive(
      held.sessionId,
      held.server,
      { ranks: [1, 2], digest: 'd', body: reported },
      noon,
    );
    await matches.rate('m1', noon);

    const events = await published();

    expect(events.map(({ type }) => type)).toEqual([
      'server.ready',
      'match.formed',
      'session.reserved',
      'session.live',
      'match.placed',
      'session.ended',
      'result.received',
      'match.ended',
      'rating.changed',
      'match.rated',
    ]);
    expect(events.map(({ position }) => position)).toEqual(range(events.length).map((i) => i + 1));
    for (const { type, data: told } of events) {
      const kind = eventCatalogue[type as EventType];
      expect([type, kind.data.strict().safeParse(told).error]).toEqual([type, undefined]);
    }
    expect(JSON.stringify(events)).not.toContain('habits');
    expect(events.at(-1)?.data).toMatchObject({ teams: [['m1-a'], ['m1-b']], ranks: [1, 2], state: 'rated' });
    expect(events.at(-2)?.data).toMatchObject({
      matchId: 'm1',
      changes: [{ playerId: 'm1-a' }, { playerId: 'm1-b' }],
    });
  });
});

describe('the log', () => {
  it('has no gaps, and loses nothing of commits that overlap while several replicas publish', async () => {
    const writers = range(6).map(async (w) => {
      for (const n of range(12))
        await db.$sql.transaction(async (sql) => {
          await emit(`m${w}`, n, sql);
          await new Promise((resolve) => setTimeout(resolve, (w * n) % 7));
        });
    });
    const writing = Promise.all(writers);
    let isOver = false;
    void writing.finally(() => (isOver = true));
    const seen: LoggedEvent[] = [];
    while (!isOver || (await log.isBehind())) {
      await Promise.all([log.publish(7), log.publish(7), log.publish(7)]);
      const { last } = await log.bounds();
      seen.push(...((await log.after(seen.at(-1)?.position ?? 0, [], last, 50))?.events ?? []));
    }
    await writing;
    seen.push(...(await published(seen.at(-1)?.position ?? 0)));

    expect(seen.map(({ position }) => position)).toEqual(range(72).map((i) => i + 1));
    for (const w of range(6)) {
      const of = await db.eventLog.findMany({ where: { orderKey: `m${w}` }, orderBy: { position: 'asc' } });
      expect(of.map(({ data: told }) => told)).toEqual(range(12).map((n) => ({ n })));
    }
    expect(new Set(seen.map(({ id }) => id)).size).toBe(72);
  });

  it('is read by types, groups and positions, and forgets its oldest', async () => {
    await emit('m1', 1);
    await db.$executeRaw`INSERT INTO event_outbox (type, order_key, data) VALUES ('server.lost', 's', '{}')`;
    await published();
    const types = async (filters: string[]): Promise<string[]> =>
      (await log.after(0, filters, 2, 10))?.events.map(({ type }) => type) ?? [];
    expect([await types(['match.*']), await types(['server.lost', 'match.ended']), await types([])]).toEqual([
      ['match.formed'],
      ['server.lost'],
      ['match.formed', 'server.lost'],
    ]);

    await db.$executeRaw`UPDATE event_log SET logged_at = now() - interval '8 days' WHERE position = 1`;
    expect(await log.forget(7, 100)).toBe(1);
    expect(await log.forget(7, 100)).toBe(0);
    expect(await log.bounds()).toEqual({ last: 2, forgotten: 1 });
    // A reader that is no further misses one, and has to know; one with another filter has to know as well.
    expect([await log.after(0, [], 2, 10), await log.after(0, ['match.ended'], 2, 10)]).toEqual([null, null]);
    expect(await log.after(1, ['match.ended'], 2, 10)).toEqual({ events: [], through: 2 });
  });
});

describe('a webhook', () => {
  it('gets the types it wants, one of a match at a time, others beside it', async () => {
    await webhooks.add('whk_1', body(['match.formed']), secret, 10);
    await webhooks.add('whk_2', body(['server.lost']), secret, 10);
    for (const n of range(3)) await emit('m1', n);
    await emit('m2', 9);
    await published();

    expect(await take('whk_1')).toEqual([0, 9]);
    await emit('m1', 3);
    await published();
    expect([await take('whk_1'), await take('whk_1'), await take('whk_1'), await take('whk_1')]).toEqual([
      [1],
      [2],
      [3],
      [],
    ]);
    expect(await take('whk_2')).toEqual([]);
    expect(await webhooks.one('whk_1')).toMatchObject({ open: 0, dead: 0, oldestOpenAt: null });
  });

  it('gets every event in order while events are published and settled at the same time', async () => {
    await webhooks.add('whk_1', body(), secret, 10);
    const got: number[] = [];
    let isOver = false;
    const worker = async (): Promise<void> => {
      for (;;) {
        const taken = await take('whk_1', 1);
        got.push(...taken);
        if (taken.length === 0 && isOver && (await webhooks.one('whk_1'))?.open === 0) return;
      }
    };
    const publisher = (async () => {
      for (const n of range(40)) {
        await emit('m1', n);
        await log.publish(500);
      }
      await published();
      isOver = true;
    })();
    await Promise.all([publisher, worker(), worker()]);
    expect(got).toEqual(range(40));
  });

  it('that a process left in an attempt gets the event again, and the late answer changes nothing', async () => {
    await webhooks.add('whk_1', body(), secret, 10);
    await emit('m1');
    await published();
    const [lost] = await claimed('whk_1', 10, 0);
    const [again] = await claimed('whk_1');
    expect(again).toMatchObject({ attempts: 2, event: lost?.event });
    const delivered = { state: 'delivered', afterMs: 0, status: 200, error: null } as const;
    if (!lost || !again) throw new Error('nothing was due');
    expect(await deliveries.settle(lost, delivered)).toBe(false);
    expect(await deliveries.settle(again, delivered)).toBe(true);
  });

  it('has dead letters that are out of the way, and retried', async () => {
    await webhooks.add('whk_1', body(), secret, 10);
    for (const n of range(2)) await emit('m1', n);
    await published();
    const [claim] = await claimed('whk_1');
    if (!claim) throw new Error('nothing was due');
    await deliveries.settle(claim, { state: 'dead', afterMs: 0, status: 500, error: 'away' });
    expect(await webhooks.one('whk_1')).toMatchObject({ open: 1, dead: 1 });
    expect(await take('whk_1')).toEqual([1]);
    expect(await deliveries.list('whk_1', { state: 'dead', limit: 10 })).toMatchObject([
      { position: 1, type: 'match.formed', state: 'dead', attempts: 1, status: 500, error: 'away' },
    ]);
    expect([await deliveries.retry('whk_1', [2]), await deliveries.retry('whk_1', null)]).toEqual([0, 1]);
    expect(await take('whk_1')).toEqual([0]);
  });

  it('has its dead letters retried in order, and not beside an attempt of the same match', async () => {
    await webhooks.add('whk_1', body(), secret, 10);
    for (const n of range(4)) await emit('m1', n);
    await published();
    for (const _ of range(3)) {
      const [claim] = await claimed('whk_1');
      if (claim) await deliveries.settle(claim, { state: 'dead', afterMs: 0, status: 500, error: 'away' });
    }
    const [running] = await claimed('whk_1');
    expect([running?.event.data, await deliveries.retry('whk_1', null), await take('whk_1')]).toEqual([
      { n: 3 },
      3,
      [],
    ]);
    if (running)
      await deliveries.settle(running, { state: 'delivered', afterMs: 0, status: 204, error: null });
    expect([await take('whk_1'), await take('whk_1'), await take('whk_1'), await take('whk_1')]).toEqual([
      [0],
      [1],
      [2],
      [],
    ]);
  });

  it('gets what is kept of a match whose first events are forgotten, and what comes after it', async () => {
    await webhooks.add('whk_1', body(), secret, 10);
    for (const n of range(4)) await emit('m1', n);
    await published();
    await db.$executeRaw`UPDATE event_log SET logged_at = now() - interval '8 days' WHERE position <= 2`;
    expect(await log.forget(7, 100)).toBe(2);
    await emit('m1', 4);
    await published();
    expect([await take('whk_1'), await take('whk_1'), await take('whk_1'), await take('whk_1')]).toEqual([
      [2],
      [3],
      [4],
      [],
    ]);
  });

  it('that is deleted is gone at once, and its rows in parts, while others get events', async () => {
    for (const id of ['whk_1', 'whk_2']) await webhooks.add(id, body(), secret, 2);
    for (const n of range(25)) await emit(`m${n}`, n);
    await published();
    await webhooks.delete('whk_1');
    expect([
      (await webhooks.list()).length,
      await webhooks.one('whk_1'),
      await webhooks.secrets('whk_1'),
    ]).toEqual([1, null, null]);
    expect(await webhooks.turn('whk_1', 'active')).toBeNull();
    expect(await webhooks.rotate('whk_1', () => secret)).toBeNull();
    await emit('m1', 25);
    await published();
    expect([
      await webhooks.clear(10),
      await webhooks.clear(10),
      await webhooks.clear(10),
      await webhooks.clear(10),
    ]).toEqual([10, 10, 5, 0]);
    expect(await db.webhook.count()).toBe(1);
    expect((await webhooks.one('whk_2'))?.open).toBe(26);
    expect(await webhooks.add('whk_3', body(), secret, 2)).not.toBeNull();
  });
});
