import { beforeEach, describe, expect, it } from 'vitest';
import { PostgresDeliveries, type Claim } from '../../apps/assignment/src/events/deliveries.store.js';
import { PostgresEventLog } from '../../apps/assignment/src/events/event-log.store.js';
import { PostgresWebhooks } from '../../apps/assignment/src/events/webhooks.store.js';
import { fillHistory, pretend, rowsReadBy } from '../support/synthetic-history.js';
import { databaseForEach, range } from './fixtures.js';

const data = databaseForEach();
const made = { matches: 10_000, players: 1_000, recent: 1_000 };
/** A thousand times as many, for the planner. */
const wanted = { matches: 10_000_000, players: 1_000, recent: 1_000 };

const taken = { state: 'delivered', afterMs: 0, status: 204, error: null } as const;

describe('with twenty million deliveries, of which half a million wait for a receiver that is away', () => {
  let log: PostgresEventLog;
  let deliveries: PostgresDeliveries;
  let webhooks: PostgresWebhooks;
  /** Rows and index entries that a step reads at its second and third run, when its statements are prepared. */
  let read: (step: () => Promise<unknown>) => Promise<number>;
  beforeEach(async () => {
    const db = data().connect(1);
    await fillHistory(db, made);
    await pretend(db, made, wanted);
    [log, deliveries, webhooks] = [
      new PostgresEventLog(db),
      new PostgresDeliveries(db),
      new PostgresWebhooks(db),
    ];
    await db.$executeRaw`
      INSERT INTO event_outbox (type, order_key, data) SELECT 'match.rated', 'new-' || i, '{}' FROM generate_series(1, 100) AS i`;
    // Some keys have many events behind one: those of a pool, for example.
    await db.$executeRaw`
      INSERT INTO event_log (position, event_id, type, version, order_key, at, data)
      SELECT 20000 + i, 'evt_' || i, 'pool.closed', 1, 'old-' || i % 3 * 4, now(), '{}' FROM generate_series(1, 6000) AS i`;
    await db.$executeRaw`
      INSERT INTO webhook_delivery (webhook_id, position, order_key, state)
      SELECT 'whk_1', 20000 + i, 'old-' || i % 3 * 4, 'behind' FROM generate_series(1, 6000) AS i`;
    read = async (step) => {
      await db.$executeRawUnsafe('SET plan_cache_mode = force_generic_plan');
      await step();
      return rowsReadBy(db, async () => {
        for (const _ of range(2)) await step();
      });
    };
  });

  it('an event is logged, read, handed out, attempted and settled as cheaply as before', async () => {
    const claims: Claim[] = [];
    const costs = {
      publish: await read(() => log.publish(20)),
      readAll: await read(() => log.after(5_000, [], 10_000, 20)),
      readSome: await read(() => log.after(5_000, ['match.abandoned'], 10_000, 20)),
      claim: await read(async () => claims.push(...(await deliveries.claim([], 8, 30_000)))),
      settle: await read(() => {
        const [claim] = claims.splice(0, 1);
        return claim ? deliveries.settle(claim, taken) : Promise.reject(new Error('no claim'));
      }),
      retry: await read(() => deliveries.retry('whk_1', [9_980])),
      list: await read(() => deliveries.list('whk_1', { limit: 20 })),
      open: await read(() => deliveries.list('whk_1', { state: 'open', limit: 20 })),
      dead: await read(() => deliveries.list('whk_1', { state: 'dead', before: 5_000, limit: 20 })),
    };
    // A filter looks at a window of the log.
    const { readSome, ...others } = costs;
    expect(readSome).toBeLessThan(10_000);
    expect(Object.entries(others).filter(([, rows]) => rows > 1_000)).toEqual([]);

    // And old events and deleted webhooks go in parts; webhooks are listed by counts up to a bound.
    expect(await read(() => log.forget(7, 50))).toBeLessThan(2_000);
    await webhooks.delete('whk_1');
    expect(await read(() => webhooks.clear(50))).toBeLessThan(2_000);
    expect(await read(() => webhooks.list())).toBeLessThan(100_000);
  });
});
