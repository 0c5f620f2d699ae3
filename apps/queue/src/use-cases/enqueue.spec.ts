import type { PlayerRating, QueueRules } from '@muster/domain';
import { defaultQueues } from '@muster/matchmaking';
import { MemoryTicketStore } from '@muster/testing';
import { describe, expect, it } from 'vitest';
import type { Probe } from './calibrate.js';
import { Enqueue } from './enqueue.js';
import { Queues } from './queues.js';

const [fives] = defaultQueues as [QueueRules, ...QueueRules[]];
const now = 1_000_000;

function setUp(probes: () => Promise<ReadonlyMap<string, Probe>>) {
  const store = new MemoryTicketStore();
  const enqueue = new Enqueue(
    new Queues(defaultQueues),
    {
      async ratingsOf(_pool, playerIds) {
        return playerIds.map((playerId): PlayerRating => ({ playerId, mu: 25, sigma: 8, matches: 3 }));
      },
    },
    { probes },
    store,
    { now: () => now },
    { make: (prefix) => `${prefix}_1`, derive: (prefix, text) => `${prefix}_${text}`, fingerprint: String },
  );
  const run = (...playerIds: string[]) =>
    enqueue.run({ queue: fives.name, build: 'b', latencyMs: {}, playerIds, idempotencyKey: undefined });
  return { store, run };
}

const probe = (level: number, match: number): Probe => ({ level, calibration: { match, of: 10 } });

describe('a new ticket', () => {
  it('holds a newcomer at the level that is tried, with the uncertainty of their rating, and says so', async () => {
    const { store, run } = setUp(async () => new Map([['ann', probe(31.25, 3)]]));
    const record = await run('ann');
    expect(record.reason).toBe('You are in the queue; this is calibration match 3 of 10.');
    expect(record.players).toEqual([
      { playerId: 'ann', mu: 31.25, sigma: 8, calibration: { match: 3, of: 10 } },
    ]);
    expect(await store.find('tkt_1')).toEqual(record);
  });

  it('names who of a party is calibrated', async () => {
    const { run } = setUp(
      async () =>
        new Map([
          ['ann', probe(31.25, 3)],
          ['cid', probe(18.75, 1)],
        ]),
    );
    const record = await run('ann', 'bob', 'cid');
    expect(record.reason).toBe(
      'You are in the queue; this is calibration match 3 of 10 for ann, 1 of 10 for cid.',
    );
    expect(record.players.map(({ mu }) => mu)).toEqual([31.25, 25, 18.75]);
  });

  it('says no more than that for everybody else', async () => {
    const { run } = setUp(async () => new Map());
    const record = await run('ann');
    expect(record.reason).toBe('You are in the queue.');
    expect(record.players).toEqual([{ playerId: 'ann', mu: 25, sigma: 8 }]);
  });

  it('is not made while nobody can tell who is calibrated', async () => {
    const { store, run } = setUp(async () => Promise.reject(new Error('Connection terminated')));
    await expect(run('ann')).rejects.toThrow('Connection terminated');
    expect(await store.ticketOf('ann')).toBeNull();
  });
});
