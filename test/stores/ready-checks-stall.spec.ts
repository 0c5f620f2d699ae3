import { connectRedis, realmRoot } from '@muster/redis';
import { UnwatchedTicketStore } from '../../apps/queue/test-support/ticket-store.js';
import { aTicket, noLoss, startTestRedis, type TestRedis } from '@muster/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Hearing } from '../../apps/queue/src/matching/hearing.js';
import { ReadTickets } from '../../apps/queue/src/core/read-tickets.js';
import { ReadyChecks } from '../../apps/queue/src/matching/ready-checks.js';
import { stall } from '../support/stalls.js';

const acceptMs = 1_500;
const stallMs = 3_000;
const clock = { now: () => Date.now() };
const penalties = {
  isMass: () => false,
  preview: async () => ({ kind: 'declined', nth: 1, amount: 30, unit: 'seconds' }) as const,
  settle: async () => false,
};

let server: TestRedis;
let connections: ReturnType<typeof connectRedis>[] = [];

beforeAll(async () => {
  server = await startTestRedis({ own: true });
  connections = [1, 2].map((n) => connectRedis(server.url, { name: `stall-${n}`, onError: () => undefined }));
});

afterAll(async () => {
  for (const connection of connections) connection.disconnect();
  await server.stop();
});

/** A replica of the queue that looks for silent players. The grace is longer than any test takes. */
function aReplica(store: UnwatchedTicketStore): ReadyChecks {
  const jobs = { send: async () => undefined };
  const read = () => [{ monotonicMs: performance.now(), wallMs: Date.now() }];
  const hearing = new Hearing({ toleranceMs: 1_000, graceMs: 600_000 }, read);
  const tickets = new ReadTickets(store, noLoss, noLoss, clock);
  return new ReadyChecks(store, tickets, penalties, jobs, clock, hearing, { PROPOSAL_LEASE_MS: 8_000 });
}

it('a Redis that stands still past the end of a ready check has nobody blamed, and the match can be accepted', async () => {
  const { pid } = server;
  // 0 would mean this process's own group.
  if (pid === undefined || pid <= 0) throw new Error('the Redis of this test has no process');
  const root = realmRoot('stall');
  const stores = connections.map((connection) => new UnwatchedTicketStore(connection, root));
  const replicas = stores.map(aReplica);
  const [store] = stores;
  if (!store) throw new Error('not connected');
  const sweepAll = () => Promise.all(replicas.map((replica) => replica.sweep()));
  // Their start counts as a break too; that it is one is not what is shown here.
  await sweepAll();
  await connections[0]?.del(`${root}:deaf-until`);

  const now = clock.now();
  for (const player of ['ann', 'bob'])
    await store.enqueue(
      aTicket({ ticketId: `t-${player}`, queue: 'duel', players: [player], expiresAt: now + 600_000 }),
      now,
    );
  const lease = await store.acquireLease('duel', 'matcher', 60_000);
  const readyCheck = { acceptBy: clock.now() + acceptMs, reason: 'Accept?' };
  const ticketIds = ['t-ann', 't-bob'];
  const proposal = { matchId: 'm1', queue: 'duel', ticketIds, job: '{}', reason: 'A match.' };
  expect(await store.propose({ ...proposal, readyCheck }, lease?.epoch ?? 0, 8_000, now)).toEqual({
    outcome: 'claimed',
  });

  const during = stall([pid], stallMs);
  // Asked while Redis stands still; the answers come after it, when the check's time is over.
  await sweepAll();
  await during;
  expect(clock.now()).toBeGreaterThan(readyCheck.acceptBy);
  await sweepAll();
  await sweepAll();
  expect(await store.blamed(10)).toEqual([]);
  const accept = (player: string) => store.accept(`t-${player}`, player, 'All are in.', 8_000, clock.now());
  expect(await accept('ann')).toEqual({ outcome: 'accepted' });
  expect(await accept('bob')).toMatchObject({ outcome: 'complete', matchId: 'm1' });
  expect(await store.blamed(10)).toEqual([]);
});
