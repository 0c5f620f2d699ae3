import { PostgresOutbox } from '@muster/db';
import { jobsWithTraces } from '../../libs/platform/src/traces/match-traces.js';
import { PostgresMatchStore } from '../../apps/assignment/src/forming/match.store.js';
import type { OutboxEntry } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { Gate } from '../support/gate.js';
import { aMatch, databaseForEach, range } from './fixtures.js';
import { as } from '../support/database.js';
import type { Db } from '../support/prisma.js';

const data = databaseForEach();

/** Records the entries that it receives. */
class Wire {
  readonly batches: OutboxEntry[][] = [];
  readonly take = async (entries: readonly OutboxEntry[]): Promise<void> => {
    this.batches.push([...entries]);
    // Real sending takes a while.
    await new Promise(setImmediate);
  };

  get entries(): OutboxEntry[] {
    return this.batches.flat();
  }

  get numbers(): unknown[] {
    return this.entries.map(({ payload }) => payload);
  }
}

async function promised(db: Db, count: number, owner = 'rating'): Promise<void> {
  await db.$executeRaw`
    INSERT INTO outbox (owner, queue, job_id, payload)
    SELECT ${owner}, 'q', 'job-' || i, to_jsonb(i) FROM generate_series(0, ${count - 1}::int) AS i ORDER BY i`;
}

describe('an outbox entry', () => {
  it('is not sent if the transaction was rolled back', async () => {
    const { db } = data();
    const store = new PostgresMatchStore(as('assignment', db));
    await store.form(aMatch('m1', [['ann'], ['bob']]));
    expect(await store.form(aMatch('m2', [['ann'], ['cid']]))).toMatchObject({ outcome: 'busy' });
    const wire = new Wire();

    expect(await new PostgresOutbox(db).relay('assignment', 10, wire.take)).toBe(2);

    expect(wire.entries.map(({ queue, jobId, id }) => [queue, jobId.slice(0, -id.length - 1)])).toEqual([
      ['place-match', 'place-m1'],
      ['ticket-news', 'formed-m1'],
    ]);
  });

  it('about a traced match carries its trace, also when it is sent again; others carry none', async () => {
    const { db } = data();
    const store = new PostgresMatchStore(as('assignment', db));
    const trace = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01 x=1`;
    await store.form({ ...aMatch('m1', [['ann'], ['bob']]), trace });
    await store.form(aMatch('m2', [['cid'], ['dan']]));
    await promised(db, 1, 'assignment');
    const outbox = new PostgresOutbox(as('assignment', db), jobsWithTraces);
    const wire = new Wire();
    await outbox.relay('assignment', 10, wire.take);
    const traces = (entries: readonly OutboxEntry[]): unknown[] =>
      entries.map(({ payload }) => Object(payload).trace as unknown);
    expect(traces(wire.entries)).toEqual([trace, trace, undefined, undefined, undefined]);
    expect(traces(await outbox.sentAfter('assignment', '0', 10))).toEqual(traces(wire.entries));
    expect(await store.formedBefore(Date.now() + 3_600_000, 10)).toContainEqual({ matchId: 'm1', trace });
  });

  it('has an age while it is not sent, also while a relay sends it', async () => {
    const { db } = data();
    const outbox = new PostgresOutbox(db);
    expect(await outbox.lagMs('rating')).toBe(0);
    await promised(db, 2);
    await db.$executeRaw`UPDATE outbox SET created_at = now() - interval '90 seconds' WHERE job_id = 'job-0'`;
    expect(await outbox.lagMs('allocator')).toBe(0);
    const aged = expect.toSatisfy((ms: number) => ms >= 90_000 && ms < 600_000);
    expect(await outbox.lagMs('rating')).toEqual(aged);
    await outbox.relay('rating', 10, async () => expect(await outbox.lagMs('rating')).toEqual(aged));
    expect(await outbox.lagMs('rating')).toBe(0);
  });

  it('is sent in order, by batches, and deleted', async () => {
    const { db } = data();
    const outbox = new PostgresOutbox(db);
    expect(await outbox.isEmpty('rating')).toBe(true);
    await promised(db, 25);
    await promised(db, 3, 'allocator');
    const wire = new Wire();
    expect(await outbox.isEmpty('rating')).toBe(false);

    expect([
      await outbox.relay('rating', 10, wire.take),
      await outbox.relay('rating', 10, wire.take),
      await outbox.relay('rating', 10, wire.take),
      await outbox.relay('rating', 10, wire.take),
    ]).toEqual([10, 10, 5, 0]);

    expect([await outbox.isEmpty('rating'), await outbox.isEmpty('allocator')]).toEqual([true, false]);
    expect(wire.numbers).toEqual(range(25));
    expect(new Set(wire.entries.map(({ jobId }) => jobId)).size).toBe(25);
    expect(wire.batches).toHaveLength(3);
    expect(await db.outbox.groupBy({ by: 'owner', _count: true })).toEqual([
      { owner: 'allocator', _count: 3 },
    ]);
  });

  it('stays after a failure, and is sent later as the same job', async () => {
    const { db } = data();
    const outbox = new PostgresOutbox(db);
    await promised(db, 3);
    const wire = new Wire();

    const failing = outbox.relay('rating', 10, () => Promise.reject(new Error('nobody is there')));
    await expect(failing).rejects.toThrow('nobody is there');
    expect(await db.outbox.count()).toBe(3);
    // This relay dies after sending, before deleting.
    const dying = outbox.relay('rating', 10, async (entries) => {
      await wire.take(entries);
      throw new Error('killed');
    });
    await expect(dying).rejects.toThrow('killed');
    expect(await outbox.relay('rating', 10, wire.take)).toBe(3);

    const [sent, again] = wire.batches;
    expect(again).toEqual(sent);
    expect(wire.numbers).toEqual([0, 1, 2, 0, 1, 2]);
    expect(await db.outbox.count()).toBe(0);
  });

  it('is sent once by concurrent relays', async () => {
    const { db } = data();
    await promised(db, 300);
    const wire = new Wire();
    const relays = range(4).map(() => new PostgresOutbox(data().connect(1)));
    const run = async (outbox: PostgresOutbox): Promise<number> => {
      let total = 0;
      // An empty batch may mean that other relays hold all rows; they send them.
      for (let sent = -1; sent !== 0; total += sent) sent = await outbox.relay('rating', 20, wire.take);
      return total;
    };

    const totals = await Promise.all(relays.map(run));

    expect(totals.reduce((sum, total) => sum + total, 0)).toBe(300);
    expect(wire.numbers.toSorted((a, b) => Number(a) - Number(b))).toEqual(range(300));
    for (const batch of wire.batches) {
      expect(batch.length).toBeLessThanOrEqual(20);
      const ids = batch.map(({ id }) => Number(id));
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    }
    expect(await db.outbox.count()).toBe(0);
  });

  it('is never sent in larger batches than requested, whatever the plan', async () => {
    const { db } = data();
    const outbox = new PostgresOutbox(db);
    await promised(db, 1);
    // The plan is for a table of one row: a lookup of that row per existing row.
    await db.$executeRaw`ANALYZE outbox`;
    await promised(db, 24);

    expect(await outbox.relay('rating', 10, new Wire().take)).toBe(10);
    expect(await db.outbox.count()).toBe(15);
  });

  it('is skipped while another relay holds it', async () => {
    const { db } = data();
    await promised(db, 5);
    const [slow, quick] = [new Wire(), new Wire()];
    const other = new PostgresOutbox(data().connect(1));
    await new PostgresOutbox(db).relay('rating', 2, async (entries) => {
      await slow.take(entries);
      expect(await other.relay('rating', 10, quick.take)).toBe(3);
      expect(await other.relay('rating', 10, quick.take)).toBe(0);
    });

    expect([slow.numbers, quick.numbers]).toEqual([
      [0, 1],
      [2, 3, 4],
    ]);
  });

  it('is sent even if it commits after a later entry', async () => {
    const { db } = data();
    const store = new PostgresMatchStore(as('assignment', db));
    const outbox = new PostgresOutbox(db);
    const wire = new Wire();
    const gate = await Gate.shut(db, {
      table: 'outbox',
      on: 'INSERT',
      when: "NEW.job_id = 'place-m1'",
      written: true,
    });
    const forming = store.form(aMatch('m1'));
    await gate.crowd();
    // By another process, because one process batches concurrent matches.
    await new PostgresMatchStore(as('assignment', data().connect(2))).form(aMatch('m2'));

    expect(await outbox.relay('assignment', 10, wire.take)).toBe(2);
    await gate.open();
    await forming;
    expect(await outbox.relay('assignment', 10, wire.take)).toBe(2);

    expect(wire.entries.map(({ payload }) => payload)).toEqual([
      { matchId: 'm2' },
      expect.objectContaining({ kind: 'formed', matchId: 'm2' }),
      { matchId: 'm1' },
      expect.objectContaining({ kind: 'formed', matchId: 'm1' }),
    ]);
    const ids = wire.entries.map(({ id }) => Number(id));
    expect(Math.max(...ids.slice(2))).toBeLessThan(Math.min(...ids.slice(0, 2)));
  });
});

describe('a job that was sent', () => {
  it('can be sent again as the same job for a while, and is then deleted', async () => {
    const { db } = data();
    const outbox = new PostgresOutbox(as('rating', db));
    await promised(db, 5);
    await promised(db, 1, 'allocator');
    const wire = new Wire();
    await outbox.relay('rating', 10, wire.take);
    await outbox.relay('allocator', 10, async () => undefined);

    const first = await outbox.sentAfter('rating', '0', 3);
    const rest = await outbox.sentAfter('rating', first.at(-1)?.id ?? '', 3);
    expect([...first, ...rest]).toEqual(wire.entries);

    expect(await outbox.forget('rating', 60_000, 10)).toBe(0);
    await db.$executeRaw`UPDATE outbox_sent SET sent_at = sent_at - interval '2 minutes'`;
    expect([await outbox.forget('rating', 60_000, 4), await outbox.forget('rating', 60_000, 4)]).toEqual([
      4, 1,
    ]);
    expect(await db.outboxSent.groupBy({ by: 'owner', _count: true })).toEqual([
      { owner: 'allocator', _count: 1 },
    ]);
  });

  it('is not kept when its sending failed', async () => {
    const { db } = data();
    await promised(db, 2);
    const failing = new PostgresOutbox(db).relay('rating', 10, () => Promise.reject(new Error('no Redis')));
    await expect(failing).rejects.toThrow('no Redis');
    expect([await db.outboxSent.count(), await db.outbox.count()]).toEqual([0, 2]);
  });
});
