import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DeliverEvents } from '../../apps/assignment/src/events/deliver-events.js';
import { PostgresDeliveries } from '../../apps/assignment/src/events/deliveries.store.js';
import { PostgresEventLog } from '../../apps/assignment/src/events/event-log.store.js';
import { ReceiverNetworks } from '../../apps/assignment/src/events/receiver-networks.client.js';
import { networksIn } from '../../apps/assignment/src/networks.js';
import { WebhookSender } from '../../apps/assignment/src/events/webhook-sender.client.js';
import { PostgresWebhooks } from '../../apps/assignment/src/events/webhooks.store.js';
import { as } from '../support/database.js';
import type { Db } from '../support/prisma.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { databaseForEach, range } from './fixtures.js';

const data = databaseForEach();
const minute = 60_000;
const networks = new ReceiverNetworks(networksIn('127.0.0.0/8') ?? []);
let db: Db;
let log: PostgresEventLog;
let deliveries: PostgresDeliveries;
let webhooks: PostgresWebhooks;
let receivers: WebhookReceiver[];
/** How far the clocks of the replicas were moved. */
let movedMs: number;
let emitted: number;

beforeEach(() => {
  ({ db } = data());
  log = new PostgresEventLog(as('assignment', db));
  deliveries = new PostgresDeliveries(as('assignment', db));
  webhooks = new PostgresWebhooks(as('assignment', db));
  [movedMs, emitted, receivers] = [0, 0, []];
});
afterEach(async () => {
  await Promise.all(receivers.map((receiver) => receiver.kill()));
});

/** A receiver with a webhook of its own. */
async function receiving(webhookId: string): Promise<WebhookReceiver> {
  const receiver = new WebhookReceiver();
  receivers.push(receiver);
  await receiver.start();
  receiver.secret = `whsec_${Buffer.from(webhookId).toString('base64')}`;
  const secrets = [{ secret: receiver.secret, until: null }];
  await webhooks.add(webhookId, { url: receiver.url, types: [], note: '' }, secrets, 10);
  return receiver;
}

/** Replicas of assignment that deliver. */
function replica(store: Pick<PostgresDeliveries, 'claim' | 'settle' | 'hurry'> = deliveries): DeliverEvents {
  const sender = new WebhookSender({ networks, timeoutMs: 15_000, now: Date.now });
  const fail = (error: unknown): never => {
    throw error;
  };
  return new DeliverEvents(
    store,
    webhooks,
    sender,
    fail,
    undefined,
    () => performance.now() + movedMs,
    () => 0.5,
  );
}

/** Events of some matches, in turn. */
async function emit(matches: number, each: number, type = 'match.formed'): Promise<void> {
  for (const n of range(each))
    await db.$executeRaw`
      INSERT INTO event_outbox (type, order_key, data)
      SELECT ${type}, 'm' || m, jsonb_build_object('match', m, 'n', ${emitted + n}::int) FROM generate_series(1, ${matches}::int) AS m`;
  emitted += each;
  while ((await log.publish(500)) > 0);
}

/** Lets time pass: for rows, and for the replicas. */
async function pass(ms: number): Promise<void> {
  movedMs += ms;
  await db.$executeRaw`
    UPDATE webhook_delivery SET next_at = next_at - ${ms}::float8 * interval '1 millisecond',
      first_at = first_at - ${ms}::float8 * interval '1 millisecond', last_at = last_at - ${ms}::float8 * interval '1 millisecond'`;
  await db.$executeRaw`UPDATE event_log SET logged_at = logged_at - ${ms}::float8 * interval '1 millisecond'`;
}

/** Turns until nothing more is taken. */
async function deliverAll(...replicas: DeliverEvents[]): Promise<void> {
  let before = -1;
  while (before !== total()) {
    before = total();
    await Promise.all(replicas.map((each) => each.turn()));
    await Promise.all(replicas.map((each) => each.idle()));
  }
}
const total = (): number => receivers.reduce((sum, { taken }) => sum + taken.length, 0);

/** The numbers of the events of each match, in the order of first receipts. */
function byMatch({ taken }: WebhookReceiver): Record<string, number[]> {
  const found: Record<string, number[]> = {};
  for (const { data: told } of taken) {
    const of = (found[String(told['match'])] ??= []);
    const n = Number(told['n']);
    if (!of.includes(n)) of.push(n);
  }
  return found;
}
const everything = (matches: number): Record<string, number[]> =>
  Object.fromEntries(range(matches).map((m) => [String(m + 1), range(emitted)]));

describe('a receiver', () => {
  it('that answers 500 for ten minutes gets everything in order, and few requests meanwhile', async () => {
    const receiver = await receiving('whk_1');
    const service = replica();
    receiver.mood = 'fails';
    for (const step of range(60)) {
      if (step % 10 === 0) await emit(5, 2);
      await deliverAll(service);
      await pass(10_000);
    }
    expect(receiver.turnedAway).toBeLessThan(70);
    receiver.mood = 'takes';
    await pass(30_000);
    await deliverAll(service);
    expect(byMatch(receiver)).toEqual(everything(5));
    expect(receiver.taken).toHaveLength(60);
    expect(await webhooks.one('whk_1')).toMatchObject({ open: 0, dead: 0 });
  });

  it('that is away for a day loses nothing; what was tried for longer is retried by a command', async () => {
    const receiver = await receiving('whk_1');
    const service = replica();
    await receiver.kill();
    const away = async (hours: number): Promise<void> => {
      for (const _ of range(hours * 2)) {
        await emit(2, 1);
        await deliverAll(service);
        await pass(30 * minute);
        await log.forget(7, 1_000);
      }
    };
    await away(24);
    await receiver.start();
    await deliverAll(service);
    expect(byMatch(receiver)).toEqual(everything(2));
    expect(await webhooks.one('whk_1')).toMatchObject({ open: 0, dead: 0 });

    await receiver.kill();
    await away(30);
    await receiver.start();
    await deliverAll(service);
    const { dead = 0 } = (await webhooks.one('whk_1')) ?? {};
    expect(dead).toBeGreaterThan(0);
    expect(await deliveries.retry('whk_1', null)).toBe(dead);
    await deliverAll(service);
    expect(receiver.taken.length).toBe(2 * emitted);
    expect(await webhooks.one('whk_1')).toMatchObject({ open: 0, dead: 0 });
  }, 60_000);

  it('gets everything in order from replicas that deliver at the same moment, and from one that is killed', async () => {
    const receiver = await receiving('whk_1');
    await emit(4, 5);
    // It ends between the receipt and its record.
    const killed = replica({
      claim: (...args) => deliveries.claim(...args),
      settle: () => Promise.resolve(false),
      hurry: () => Promise.resolve(),
    });
    await killed.turn();
    await killed.idle();
    expect(receiver.taken).toHaveLength(4);
    const both = [replica(), replica()];
    await deliverAll(...both);
    expect(receiver.taken).toHaveLength(4);
    await pass(30_000);
    await deliverAll(...both);
    expect(byMatch(receiver)).toEqual(everything(4));
    // Those of the killed one came twice, and no others.
    expect(receiver.taken).toHaveLength(24);
  });

  it('that is slow slows nobody else', async () => {
    const [slow, quick] = [await receiving('whk_1'), await receiving('whk_2')];
    slow.mood = 'slow';
    const service = replica();
    await emit(10, 5);
    while (quick.taken.length < 50) await service.turn();
    expect(slow.turnedAway).toBe(8);
    expect(byMatch(quick)).toEqual(everything(10));
    await slow.kill();
    await service.idle();
  });

  it('that cannot handle one type gets the others, and that type at growing intervals', async () => {
    const receiver = await receiving('whk_1');
    receiver.fails.add('match.void');
    const service = replica();
    for (const step of range(30)) {
      await db.$executeRaw`
        INSERT INTO event_outbox (type, order_key, data) VALUES ('match.void', ${`bad ${step}`}, '{}'),
          ('match.rated', ${`good ${step}`}, '{}')`;
      while ((await log.publish(500)) > 0);
      await deliverAll(service);
      await pass(1_000);
    }
    await pass(1_000);
    await deliverAll(service);
    expect(receiver.taken).toHaveLength(30);
    // Each is tried after 1 s, 2 s, 4 s and so on.
    const { _max } = await db.webhookDelivery.aggregate({ _max: { attempts: true } });
    expect(_max.attempts).toBeLessThan(8);
  });

  it('that answers 410 is paused, with the reason, and gets what was kept when it is resumed', async () => {
    const receiver = await receiving('whk_1');
    receiver.mood = 'gone';
    const service = replica();
    await emit(1, 3);
    await deliverAll(service);
    expect(await webhooks.one('whk_1')).toMatchObject({
      state: 'paused',
      pausedReason: 'The receiver answered 410 Gone.',
    });
    await pass(minute);
    await deliverAll(service);
    expect(receiver.turnedAway).toBe(1);
    receiver.mood = 'takes';
    expect(await webhooks.turn('whk_1', 'active')).toMatchObject({ state: 'active', pausedReason: null });
    await deliveries.hurry('whk_1', null);
    await deliverAll(service);
    expect(byMatch(receiver)).toEqual(everything(1));
  });

  it('that moved gets what waits at its new address, whatever the old one asked for', async () => {
    const receiver = await receiving('whk_1');
    const service = replica();
    await receiver.kill();
    await emit(1, 2);
    await deliverAll(service);
    await pass(10 * minute);
    await deliverAll(service);
    const moved = new WebhookReceiver();
    receivers.push(moved);
    moved.secret = receiver.secret;
    await moved.start();
    await webhooks.change('whk_1', { url: moved.url, types: [], note: '' });
    await deliveries.hurry('whk_1', null);
    await deliverAll(service);
    expect(byMatch(moved)).toEqual(everything(1));
  });
});
