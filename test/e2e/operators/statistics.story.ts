import type { StatisticsView } from '@muster/contracts';
import { OperatorClient } from '@muster/sdk';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { GameServer } from '../../support/game-server.js';
import { openQueue } from '../../support/open-queue.js';
import { muster } from '../../support/muster.js';
import { queueUp } from '../../support/party.js';
import { createDb, type Db } from '../../support/prisma.js';
import type { Stack } from '../../support/stack.js';
import { ownReplica, type OwnReplica } from '../own-replica.js';
import { storiesStack } from '../stories-stack.js';

const queue = 'noted';
const patient = { timeout: 60_000, interval: 250 };

let stack: Stack;
let server: GameServer;
let db: Db;
/** A second replica of the queue, which outlives the first. */
let second: OwnReplica;
let operator: OperatorClient;
let players = 0;

beforeAll(async () => {
  stack = await storiesStack();
  second = await ownReplica('queue', {}, stack);
  operator = new OperatorClient({ url: second.url, operatorKey: stack.run.operatorKey });
  server = await GameServer.start(stack, { serverId: 'noted-1', build: queue });
  db = createDb(stack.run.databaseUrl, { maxConnections: 1 });
  await openQueue(stack, queue, {});
});
afterAll(async () => {
  second?.child.kill('SIGKILL');
  await server?.stop();
  await db?.$disconnect();
});

const join = () => queueUp(stack, [`noted-${players++}`], { queue, build: queue });

async function play(): Promise<void> {
  const tickets = [await join(), await join()];
  const [first] = await Promise.all(tickets.map((ticket) => ticket.assigned()));
  await server.report(first?.sessionId ?? '', { winner: 0 });
  await Promise.all(tickets.map((ticket) => ticket.closed()));
}

const statistics = async (): Promise<StatisticsView['queues'][number]> => {
  const { queues } = await operator.statistics({ queue });
  if (!queues[0]) throw new Error('the queue has statistics');
  return queues[0];
};

describe('statistics', () => {
  it('are what happened, over two replicas and the kill of one', async () => {
    for (let i = 0; i < 3; i++) await play();
    const { queue: victim = 0 } = await stack.pids();
    process.kill(victim, 'SIGKILL');
    await vi.waitFor(async () => expect((await stack.pids())['queue']).not.toBe(victim), patient);
    for (let i = 0; i < 2; i++) await play();
    const alone = await join();
    await alone.leader.cancel(alone.ticketId);

    const { total, points } = await vi.waitFor(async () => {
      const read = await statistics();
      expect(read.total).toMatchObject({
        accepted: 11,
        matched: 10,
        matches: 5,
        assigned: 10,
        cancelled: 1,
        expired: 0,
        failed: 0,
      });
      return read;
    }, patient);
    const sum = (of: 'accepted' | 'matched' | 'matches'): number =>
      points.reduce((all, each) => all + each[of], 0);
    expect([sum('accepted'), sum('matched'), sum('matches')]).toEqual([11, 10, 5]);

    const seats = await db.matchPlayer.findMany({
      where: { match: { queue } },
      select: { waitedMs: true, match: { select: { split: true } } },
    });
    const waits = seats.map(({ waitedMs }) => waitedMs ?? NaN).toSorted((a, b) => a - b);
    const near = (exact: number): [number, number] => [exact * 0.88, Math.max(100, exact * 1.12)];
    for (const [found, exact] of [
      [total.matchMs?.p50, waits[4]],
      [total.matchMs?.p95, waits[9]],
    ]) {
      const [least, most] = near(exact ?? NaN);
      expect(found).toBeGreaterThanOrEqual(least);
      expect(found).toBeLessThanOrEqual(most);
    }
    expect(total.teamGap?.p95).toBeGreaterThan(0);
    expect(total.favouriteLead?.p95).toBeLessThan(0.5);
  });

  it('are a command: all queues, or one by its steps', async () => {
    const command = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await muster(['statistics', ...args, '--data-dir', stack.dataDir]);
      expect([code, stderr]).toEqual([0, '']);
      return stdout;
    };
    expect(await command()).toMatch(/^noted +[\d.]* +11 +10 .* 1 +0 +0$/m);
    // Slots are noted once a minute.
    await expect
      .poll(() => command(queue, '--from', '-2h'), { timeout: 90_000, interval: 2_000 })
      .toMatch(/^total +[\d.]* +11 +10 .*\n\n(.*\n)*slots\n +used +[\d.]+\n +free +[\d.]+/m);
    const { step, queues } = JSON.parse(await command(queue, '--json')) as StatisticsView;
    expect([step, queues.map(({ queue: name }) => name)]).toEqual(['1m', [queue]]);
  });

  it('have the slots and jobs of the realm, and say what is wrong with a question', async () => {
    await vi.waitFor(async () => {
      const { realm } = await operator.statistics({ queue });
      expect(realm.total.slots?.free).toBeGreaterThan(0);
      expect(realm.total.deadJobs).not.toBeNull();
    }, patient);
    await expect(operator.statistics({ queue: 'none' })).rejects.toMatchObject({ code: 'queue-not-found' });
    const tooLong = { from: Date.now() - 86_400_000, step: '1m' } as const;
    await expect(operator.statistics(tooLong)).rejects.toMatchObject({ code: 'invalid-request' });
    const { step, queues } = await operator.statistics({ from: Date.now() - 86_400_000 });
    expect(step).toBe('5m');
    expect(queues.map((each) => each.queue)).toContain('5v5');
  });
});
