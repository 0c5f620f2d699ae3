import { beforeEach, describe, expect, it } from 'vitest';
import { databaseForEach, noon, range, timeouts } from './fixtures.js';
import { House } from './house.js';
import { slotPage } from '../../apps/allocator/src/slots/figures.store.js';
import { dueTimes } from '../../apps/allocator/src/watch/due.store.js';
import type { Db } from '../support/prisma.js';

const data = databaseForEach();
const servers = 10_000;
/** Far fewer than three scans would read, and more than the planner reads when it looks for the ends of an index. */
const mostRead = 2_000;

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Plan[];
}

const scans = (plan: Plan): boolean =>
  (plan['Node Type'] === 'Seq Scan' && plan['Relation Name'] === 'server') || (plan.Plans ?? []).some(scans);

/** Prepared statements whose generic plan reads all servers. */
async function scanning(db: Db): Promise<string[]> {
  const kept = await db.$queryRaw<{ statement: string }[]>`SELECT statement FROM pg_prepared_statements`;
  const found: string[] = [];
  for (const { statement } of kept) {
    if (!/^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(statement)) continue;
    const [row] = await db.$queryRawUnsafe<{ 'QUERY PLAN': { Plan: Plan }[] }[]>(
      `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${statement}`,
    );
    if ((row?.['QUERY PLAN'] ?? []).some(({ Plan: plan }) => scans(plan))) found.push(statement);
  }
  return found;
}

/** The indexes of servers that the generic plans of prepared statements use. */
async function indexesUsed(db: Db): Promise<string[]> {
  const kept = await db.$queryRaw<{ statement: string }[]>`SELECT statement FROM pg_prepared_statements`;
  const texts: string[] = [];
  for (const { statement } of kept) {
    if (!/^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(statement)) continue;
    const rows = await db.$queryRawUnsafe<object[]>(
      `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${statement} -- indexes`,
    );
    texts.push(JSON.stringify(rows));
  }
  return [
    ...new Set([...texts.join().matchAll(/"Index Name":"(server_\w+)"/g)].map(([, name]) => name ?? '')),
  ];
}

/** The number of rows of servers and of their index entries read so far. */
async function rowsReadSoFar(db: Db): Promise<number> {
  await db.$queryRaw`SELECT pg_stat_force_next_flush()::text`;
  const [row] = await db.$queryRaw<{ read: number }[]>`
    SELECT (seq_tup_read + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'server'))::int AS read
    FROM pg_stat_user_tables WHERE relname = 'server'`;
  return row?.read ?? 0;
}

describe('the cost of a placement and of heartbeats does not grow with the number of servers', () => {
  let db: Db;
  let house: House;
  beforeEach(async () => {
    // One connection, whose prepared statements and counters are those of the test.
    db = data().connect(1);
    house = new House(db, () => db);
    await db.$executeRaw`
      INSERT INTO server (id, region, build, host, port, slots, used_slots, state, heartbeat_at, registered_at)
      SELECT 'up-' || i, (ARRAY['eu', 'us', 'asia'])[1 + i % 3], 'b1', 'h', 1, 10, i % 3, 'ready', ${new Date(noon)}, now()
      FROM generate_series(1, ${servers}::int) AS i`;
    await db.$executeRaw`
      INSERT INTO match (id, origin, pool, state, regions, formed_at)
      SELECT 'up-' || i || '-' || slot, 'queue', 'ladder', 'formed', '{}', now()
      FROM generate_series(1, ${servers}::int) AS i, generate_series(0, i % 3 - 1) AS slot`;
    await db.$executeRaw`
      INSERT INTO session (id, match_id, server_id, slot_ordinal, state, incarnation, reserved_at, answer_by)
      SELECT 'up-' || i || '-' || slot, 'up-' || i || '-' || slot, 'up-' || i, slot, 'reserved', 1, now(), now()
      FROM generate_series(1, ${servers}::int) AS i, generate_series(0, i % 3 - 1) AS slot`;
    await db.$executeRawUnsafe('ANALYZE server, session, match');
  });

  /** Several times, because a statement is prepared at its second run. */
  async function readsFew(step: (round: number) => Promise<unknown>): Promise<void> {
    const before = await rowsReadSoFar(db);
    for (const round of range(3)) await step(round);
    expect((await rowsReadSoFar(db)) - before).toBeLessThan(mostRead);
    expect(await scanning(db)).toEqual([]);
  }

  it('matches are placed', async () => {
    for (const round of range(3)) {
      await house.wants(`m${round}`);
      await house.wants(`n${round}`, { regions: ['us', 'eu'] });
    }
    await readsFew(async (round) => {
      const placed = await Promise.all([house.placedOn(`m${round}`), house.placedOn(`n${round}`)]);
      expect(placed).toEqual([expect.stringMatching(/^up-/), expect.stringMatching(/^up-/)]);
    });
  });

  it.each(['spread', 'pack', 'latency-first'] as const)(
    'matches are placed by %s past any number of overloaded servers',
    async (placement) => {
      await db.$executeRaw`UPDATE server SET overloaded = true, used_slots = 0 WHERE id LIKE '%0'`;
      await db.$executeRaw`UPDATE server SET overloaded = true WHERE id LIKE '%1'`;
      await db.$executeRawUnsafe('VACUUM ANALYZE server');
      const rules = { mode: 'duel', placement };
      for (const round of range(3)) {
        await house.wants(`m${round}`, { rules });
        await house.wants(`n${round}`, { rules, regions: ['us', 'eu'] });
        await house.wants(`o${round}`, { rules, regions: ['mars'] });
      }
      await readsFew(async (round) => {
        const placed = await Promise.all(['m', 'n'].map((name) => house.placedOn(`${name}${round}`)));
        expect(placed).toEqual([expect.stringMatching(/[2-9]$/), expect.stringMatching(/[2-9]$/)]);
        expect(await house.placedOn(`o${round}`)).toBe('none-free');
      });
      const used = await indexesUsed(db);
      expect(used).toContain('server_kinds');
      expect(used).toContain('server_overloaded');
    },
  );

  it('matches are placed past any number of servers whose labels do not fit', async () => {
    await db.$executeRaw`
      UPDATE server SET kind = 'k' || right(id, 1), used_slots = 1 + used_slots,
        labels = jsonb_build_object('tier', jsonb_build_array(right(id, 1)), 'maps', '["mine"]'::jsonb)
      WHERE id NOT LIKE '%0'`;
    await db.$executeRawUnsafe('VACUUM ANALYZE server');
    for (const round of range(3)) {
      await house.wants(`m${round}`, { rules: { mode: 'duel', serverLabels: { tier: '7' } } });
      await house.wants(`n${round}`, { rules: { mode: 'duel' }, map: 'castle', regions: ['us', 'eu'] });
      await house.wants(`o${round}`, { rules: { mode: 'duel', serverLabels: { tier: 'none' } } });
    }
    await readsFew(async (round) => {
      expect(await house.placedOn(`m${round}`)).toMatch(/7$/);
      expect(await house.placedOn(`n${round}`)).toMatch(/0$/);
      expect(await house.placedOn(`o${round}`)).toBe('none-free');
    });
    expect(await indexesUsed(db)).toContain('server_fitting_slots');
  });

  it('overloaded servers are counted up to a limit', async () => {
    await db.$executeRaw`UPDATE server SET overloaded = true`;
    await db.$executeRawUnsafe('VACUUM ANALYZE server');
    for (const round of range(3)) await house.wants(`m${round}`, { regions: ['us', 'eu'] });
    await readsFew(async (round) => expect(await house.placedOn(`m${round}`)).toBe('none-free'));
  });

  it('capacity is counted by one statement that reads each server once', async () => {
    const limits = {
      everyMs: 1_000,
      startMs: 1_000,
      builds: ['b1'],
      spares: { byRegion: new Map(), elsewhere: 5 },
    };
    const before = await rowsReadSoFar(db);
    const { places } = await house.allocator.shortages.countCapacity(limits, noon);
    expect((await rowsReadSoFar(db)) - before).toBeLessThan(servers * 1.5);
    expect(places.map(({ region, servers: many }) => `${region} ${many}`)).toEqual([
      'asia 3333',
      'eu 3333',
      'us 3334',
    ]);
  });

  it('heartbeats are recorded', async () => {
    await readsFew(async (round) => {
      const beats = range(20).map((i) =>
        house.allocator.fleet.heartbeat(
          { serverId: `up-${round * 20 + i + 1}`, incarnation: 1 },
          { cpuLoad: 0.5, sessions: ['a', 'b'] },
          noon,
          noon,
        ),
      );
      expect(await Promise.all(beats)).toEqual(
        range(20).map(() => expect.objectContaining({ state: 'ready' })),
      );
    });
  });

  it('commands are read, and looked for', async () => {
    const cursors = range(20).map((i) => ({ serverId: `up-${i + 1}`, incarnation: 1, after: 0 }));
    await readsFew(async () => {
      const read = cursors.map((cursor) => house.allocator.commands.commandsAfter(cursor, 0));
      expect(await Promise.all(read)).toEqual(cursors.map(() => []));
      expect(await house.allocator.commands.withCommands(cursors)).toEqual([]);
      expect(await house.allocator.commands.newestCommands(noon)).toEqual([]);
    });
  });

  it('slots are summed a page at a time', async () => {
    let after = '';
    await readsFew(async () => {
      const page = await slotPage(db, after, 25);
      expect(page.read).toBe(25);
      expect(page.last > after).toBe(true);
      after = page.last;
    });
    await db.$executeRaw`UPDATE server SET state = 'draining' WHERE region = 'us'`;
    await db.$executeRaw`UPDATE server SET state = 'lost' WHERE id = 'up-1'`;
    const whole = await slotPage(db, '', 20_000);
    expect(whole).toMatchObject({ read: servers, last: 'up-9999' });
    // The regions have 3,334, 3,333 and 3,333 servers of ten slots, and all of one region have the same number in use.
    const sums = new Map(whole.regions.map(({ region, ...sum }) => [region, sum]));
    expect(Object.fromEntries(sums)).toEqual({
      us: expect.objectContaining({ free: 0 }),
      asia: expect.objectContaining({ draining: 0 }),
      eu: expect.objectContaining({ draining: 0 }),
    });
    expect(whole.regions.reduce((sum, { used, free, draining }) => sum + used + free + draining, 0)).toBe(
      (servers - 1) * 10,
    );
    expect(await slotPage(db, 'up-9999', 100)).toEqual({ read: 0, last: 'up-9999', regions: [] });
  });

  it('sweeps find out what is due, and whom they lose', async () => {
    for (let round = 0; round < 3; round++) {
      expect(await dueTimes(db)).toMatchObject({ heardAt: noon, nextAttemptAt: null });
      expect(await house.allocator.silence.loseSilent(timeouts, noon, 10)).toEqual([]);
    }
    expect(await scanning(db)).toEqual([]);
  });
});
