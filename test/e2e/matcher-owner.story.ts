import type { QueueRules } from '@muster/domain';
import { OperatorClient, PlayerClient } from '@muster/sdk';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Stack } from '../support/stack.js';
import { ownReplica, type OwnReplica } from './own-replica.js';
import { storiesStack } from './stories-stack.js';
import { createDb, type Db } from '../support/prisma.js';

const queue = '1v1';
const patient = { timeout: 40_000, interval: 100 };

describe('who owns the matcher', () => {
  let stack: Stack;
  /** A second replica of the queue. */
  let second: OwnReplica;
  let redis: Redis;
  let db: Db;
  const submitted: string[] = [];
  let players = 0;

  beforeAll(async () => {
    stack = await storiesStack();
    second = await ownReplica('queue', {}, stack);
    redis = new Redis(stack.run.redisUrl);
    db = createDb(stack.run.databaseUrl, { maxConnections: 1 });
  });

  afterAll(async () => {
    second.child.kill('SIGKILL');
    redis.disconnect();
    await db.$disconnect();
  });

  /** The process that holds the lease, and the lease. */
  async function owner(): Promise<{ pid: number; epoch: number; expiresAt: number }> {
    const [holder, epoch, expiresAt] = await redis.hmget(
      `muster:{default}:lease:${queue}`,
      'holder',
      'epoch',
      'expires_at',
    );
    const pid = Number(holder?.split('/')[1]);
    if (!Number.isInteger(pid)) throw new Error(`nobody holds the lease: ${holder}`);
    return { pid, epoch: Number(epoch), expiresAt: Number(expiresAt) };
  }

  /** Hands tickets in by a replica of our choice, two by two, so that in the end everybody has an opponent. */
  async function submit(count: number, port: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const token = await stack.token(`owner-player-${players++}`);
      const client = new PlayerClient({ url: `http://127.0.0.1:${port}`, token });
      submitted.push((await client.enqueue({ queue, build: 'owner' })).ticketId);
    }
  }

  const firstPort = (): number =>
    stack.run.replicas.find(({ service }) => service === 'queue')?.httpPort ?? NaN;
  const secondPort = (): number => Number(new URL(second.url).port);
  const portOfOther = (pid: number): number => (pid === second.child.pid ? firstPort() : secondPort());

  /** Everybody is in exactly one match, and every match is of two. */
  async function everybodyIsMatchedOnce(): Promise<void> {
    await vi.waitFor(async () => {
      const rows = await db.matchPlayer.findMany({
        where: { ticketId: { in: submitted } },
        select: { ticketId: true, matchId: true },
      });
      expect(rows.map(({ ticketId }) => ticketId).toSorted()).toEqual(submitted.toSorted());
      const sizes = new Map<string, number>();
      for (const { matchId } of rows) sizes.set(matchId, (sizes.get(matchId) ?? 0) + 1);
      expect([...new Set(sizes.values())]).toEqual([2]);
    }, patient);
  }

  it('is one of the replicas', async () => {
    const { pid } = await vi.waitFor(owner, patient);
    expect([(await stack.pids())['queue'], second.child.pid]).toContain(pid);
  });

  it('takes tickets for a queue that the other replica put in force a moment ago: no 404 in between', async () => {
    const here = `http://127.0.0.1:${firstPort()}`;
    const operator = new OperatorClient({ url: here, operatorKey: stack.run.operatorKey });
    const { queues } = await operator.queues();
    const { version: _, ...duels } = queues.find(({ name }) => name === queue) ?? { version: 0 };
    for (let i = 0; i < 5; i++) {
      const name = `fresh-${i}`;
      await operator.applyRules(name, { rules: { ...duels, name } as QueueRules });
      const client = new PlayerClient({ url: second.url, token: await stack.token(`fresh-player-${i}`) });
      const { ticketId } = await client.enqueue({ queue: name, build: 'owner' });
      expect(await client.read(ticketId)).toMatchObject({ queue: name, state: 'waiting' });
    }
  });

  it('is taken over within a lease when the owner is killed under load; nobody is lost, nobody matched twice', async () => {
    const before = await vi.waitFor(owner, patient);
    const port = portOfOther(before.pid);
    const load = submit(60, port);
    await vi.waitFor(() => expect(submitted.length).toBeGreaterThan(15), patient);
    process.kill(before.pid, 'SIGKILL');
    const dead = await owner();
    await load;
    const after = await vi.waitFor(async () => {
      const now = await owner();
      expect(now.epoch).toBeGreaterThan(dead.epoch);
      return now;
    }, patient);
    expect(after.pid).not.toBe(before.pid);
    await everybodyIsMatchedOnce();
    // The launcher starts its own replica again.
    if (before.pid === second.child.pid) second = await ownReplica('queue', {}, stack);
  });

  it('is refused when a stopped owner wakes after its lease; nobody is matched twice', async () => {
    const before = await vi.waitFor(owner, patient);
    const port = portOfOther(before.pid);
    const load = submit(40, port);
    await vi.waitFor(() => expect(submitted.length).toBeGreaterThan(70), patient);
    process.kill(before.pid, 'SIGSTOP');
    try {
      await load;
      const after = await vi.waitFor(async () => {
        const now = await owner();
        expect(now.pid).not.toBe(before.pid);
        return now;
      }, patient);
      await everybodyIsMatchedOnce();
      process.kill(before.pid, 'SIGCONT');
      await submit(20, port);
      await everybodyIsMatchedOnce();
      // The one that slept asked again, and got what it was told: another holds the lease.
      const now = await owner();
      expect(now).toMatchObject({ pid: after.pid, epoch: after.epoch });
    } finally {
      process.kill(before.pid, 'SIGCONT');
    }
  });
});
