import { connectRedis, realmRoot } from '@muster/redis';
import { aTicket, startTestRedis, testTime, type TestRedis } from '@muster/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SteppedTicketStore } from '../../test-support/ticket-store.js';
import { between, quantilesOf, totalOf } from './distribution.js';
import { RedisMinutes } from './minutes.store.js';

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** The begin of a minute. */
const begin = Math.floor(testTime / minuteMs) * minuteMs;

let server: TestRedis;
let redis: ReturnType<typeof connectRedis>;
let root: string;
let store: SteppedTicketStore;
let minutes: RedisMinutes;

beforeAll(async () => {
  server = await startTestRedis();
  redis = connectRedis(server.url, { name: 'test-minutes', onError: () => undefined });
}, 30_000);

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

beforeEach(() => {
  root = realmRoot(`test-${randomUUID()}`);
  store = new SteppedTicketStore(redis, root);
  minutes = new RedisMinutes(redis, root);
});

async function enqueue(ticketId: string, enqueuedAt: number): Promise<void> {
  const players = [{ playerId: `of-${ticketId}`, mu: 25, sigma: 8 }];
  const expiresAt = enqueuedAt + dayMs;
  await store.enqueue(
    aTicket({ ticketId, queue: 'duel', fingerprint: ticketId, enqueuedAt, expiresAt, players }),
    enqueuedAt,
  );
}

/** What was counted between two times. */
async function counted(from: number, to: number): Promise<Record<string, number>> {
  const [before, after] = await minutes.at('duel', [from, to]);
  const counts = before && after && before.id !== after.id ? between(before.counts, after.counts) : new Map();
  return Object.fromEntries([...counts].filter(([, count]) => count > 0));
}

describe('notes of counts', () => {
  it('are one a minute, whoever takes them and however often, and attribute each event to one minute', async () => {
    const other = new RedisMinutes(redis, root);
    const look = (at: number) =>
      Promise.all([minutes, other].map((each) => each.note('duel', { seen: 1 }, at)));
    await enqueue('a', begin + 1_000);
    await look(begin + 2_000);
    await look(begin + 30_000);
    await enqueue('b', begin + 40_000);
    await look(begin + minuteMs + 1);
    await enqueue('c', begin + minuteMs + 2);
    // `a` came before the first look; the look after the minute sees `b`.
    expect(await counted(begin, begin + minuteMs)).toEqual({ accepted: 2, waiting: 1, notes: 1, seen: 1 });
    const now = begin + 2 * minuteMs;
    expect(await counted(begin + minuteMs, now)).toEqual({ accepted: 1, waiting: 2, notes: 1, seen: 1 });
    expect(await counted(begin, now)).toEqual({ accepted: 3, waiting: 3, notes: 2, seen: 2 });
    expect(await counted(now, now + minuteMs), 'nobody looked yet').toEqual({});
    expect(await counted(begin - dayMs, begin), 'nor before').toEqual({});
  });

  it('take what clocks say: one that is behind adds nothing to the past', async () => {
    await minutes.note('duel', {}, begin + 5 * minuteMs);
    await enqueue('a', begin);
    await minutes.note('duel', {}, begin);
    expect(await redis.xlen(`${root}:minutes:duel`)).toBe(2);
    expect(await counted(begin, begin + 6 * minuteMs)).toEqual({ accepted: 1, notes: 1 });
  });

  it('are kept for two days, at the same size, and go with their counts', async () => {
    for (let day = 0; day < 4; day++)
      for (let hour = 0; hour < 24; hour++)
        await minutes.note('duel', {}, begin + day * dayMs + hour * 60 * minuteMs);
    expect(await redis.xlen(`${root}:minutes:duel`)).toBe(49);
    const left = await Promise.all(['minutes', 'counts'].map((key) => redis.pttl(`${root}:${key}:duel`)));
    expect(Math.min(...left)).toBeGreaterThan(2 * dayMs - 10_000);
  });
});

describe('what is counted of a match', () => {
  const match = async (ticketIds: readonly string[], now: number) => {
    const lease = await store.acquireLease('duel', 'me', 60_000);
    const matchId = `match-of-${ticketIds.join('-')}`;
    const proposal = { matchId, queue: 'duel', ticketIds, job: '{}', reason: 'Found.' };
    const claims = await Promise.all(
      [1, 2].map(() => store.propose(proposal, lease?.epoch ?? 0, 5_000, now)),
    );
    expect(claims.map(({ outcome }) => outcome)).toEqual(['claimed', 'claimed']);
    return matchId;
  };
  const figures = { queue: 'duel', teamGap: 2.5, favouriteLead: 0.04, waitsMs: [20_000, 10_000] };

  it('is the waiting of each ticket and the fairness of the whole, once', async () => {
    await minutes.note('duel', {}, begin);
    await enqueue('a', begin);
    await enqueue('b', begin + 10_000);
    const matchId = await match(['a', 'b'], begin + 20_000);
    for (let i = 0; i < 2; i++) await store.confirm(matchId, ['a', 'b'], 'Made.', begin + 21_000, figures);
    const counts = new Map(Object.entries(await counted(begin, begin + minuteMs)));
    expect(totalOf(counts, 'waited')).toBe(2);
    expect(quantilesOf(counts, 'waited')?.p50).toBeGreaterThan(9_000);
    expect(quantilesOf(counts, 'waited')?.p50).toBeLessThan(11_000);
    expect(quantilesOf(counts, 'waited')?.p95).toBeGreaterThan(18_000);
    expect([totalOf(counts, 'gap'), totalOf(counts, 'lead')]).toEqual([1, 1]);
    expect(quantilesOf(counts, 'gap', 1_000)?.p50).toBeCloseTo(2.5, 0);
    expect(quantilesOf(counts, 'lead', 100_000)?.p50).toBeCloseTo(0.04, 2);
  });

  it('does not depend on the order in which its updates come', async () => {
    await enqueue('a', begin);
    await enqueue('b', begin);
    const matchId = await match(['a', 'b'], begin + 1_000);
    const where = { sessionId: 's', serverId: 'g', region: 'eu', host: 'h', port: 1, team: 0 };
    for (const ticketId of ['a', 'b'])
      await store.assign(ticketId, { matchId, ...where }, 'Go.', begin + 2_000);
    await store.close(matchId, ['a', 'b'], 'rated', 'Over.', begin + 3_000);
    await store.confirm(matchId, ['a', 'b'], 'Made.', begin + 4_000, { ...figures, favouriteLead: null });
    await store.confirm('unknown', ['a'], 'Made.', begin + 4_000, figures);
    const counts = new Map(
      Object.entries(await redis.hgetall(`${root}:counts:duel`)).map(([k, n]) => [k, Number(n)]),
    );
    expect([totalOf(counts, 'gap'), totalOf(counts, 'lead'), counts.get('assigned')]).toEqual([1, 0, 2]);
  });
});
