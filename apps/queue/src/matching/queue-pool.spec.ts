import type { QueueRules, Ticket } from '@muster/domain';
import { defaultQueues } from '@muster/matchmaking';
import { aTicket, MemoryTicketStore } from '@muster/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QueuePool } from './queue-pool.js';
import { Queues } from '../rules/queues.js';

const duel = defaultQueues[1] as QueueRules;
const start = 1_000_000;
const clock = { now: () => start };

const ticket = (id: number, more: Partial<Ticket> = {}): Ticket =>
  aTicket({
    ticketId: `t${id}`,
    queue: duel.name,
    players: [{ playerId: `p${id}`, mu: 25, sigma: 8 }],
    enqueuedAt: start - 1_000,
    expiresAt: start + 600_000,
    rulesVersion: 1,
    ...more,
  });

function setUp(queues = new Queues([duel])) {
  const store = new MemoryTicketStore();
  const pool = new QueuePool(duel.name, queues, store, clock);
  return { store, pool, queues };
}

/** The rules with a window that admits every ticket at once. */
const open: QueueRules = {
  ...duel,
  skillWindow: [{ afterSeconds: 0, limit: null }],
  teamGap: [{ afterSeconds: 0, limit: null }],
};
const version = (rules: QueueRules, number: number, appliesTo: 'new' | 'all') => ({
  queue: duel.name,
  version: number,
  rules,
  why: 'wider',
  appliesTo,
  createdAt: start,
});

describe('the pool of a queue', () => {
  it('holds the waiting tickets, whatever changed between two reads', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            id: fc.nat(7),
            what: fc.constantFrom('enqueue', 'cancel', 'claim', 'release', 'look', 'forget'),
          }),
          {
            maxLength: 60,
          },
        ),
        async (steps) => {
          const { store, pool } = setUp();
          const lease = await store.acquireLease(duel.name, 'me', 1e9, start);
          let made = 0;
          for (const { id, what } of steps) {
            const known = `t${id}`;
            if (what === 'enqueue') await store.enqueue(ticket(id), start);
            if (what === 'cancel') await store.cancel(known, 'Enough.', start);
            if (what === 'claim') {
              const matchId = `m${known}-${made++}`;
              const proposal = { matchId, queue: duel.name, ticketIds: [known], job: '{}', reason: '' };
              await store.propose(proposal, lease?.epoch ?? 0, 1e9, start);
            }
            if (what === 'release') {
              const matchId = (await store.find(known))?.matchId;
              if (matchId !== undefined) await store.release(matchId, [known], [], '', start);
            }
            if (what === 'forget') pool.forget();
            if (what === 'look') {
              await pool.follow();
              expect(pool.size).toBe((await store.waiting(duel.name, 100)).length);
            }
          }
          await pool.follow();
          const waiting = await store.waiting(duel.name, 100);
          expect(pool.size).toBe(waiting.length);
          for (const id of waiting) expect(pool.explain(id, start)).toBeDefined();
        },
      ),
    );
  });

  it('keeps the rules version of a ticket until a new one applies to waiting tickets', async () => {
    const { store, pool, queues } = setUp();
    const far = (id: number, mu: number, rulesVersion: number): Ticket =>
      ticket(id, { players: [{ playerId: `p${id}`, mu, sigma: 8 }], rulesVersion });
    await store.enqueue(far(1, 10, 1), start);
    await store.enqueue(far(2, 40, 1), start);
    await pool.follow();
    queues.addVersions([version(open, 2, 'new')]);
    await pool.follow();
    expect(pool.tick(start).proposals).toEqual([]);
    queues.addVersions([version(open, 3, 'all')]);
    await pool.follow();
    expect(pool.tick(start).proposals).toMatchObject([{ tickets: ['t1', 't2'] }]);
  });

  it('keeps a ticket back until its rules version is known here', async () => {
    const { store, pool, queues } = setUp();
    await pool.follow();
    await store.enqueue(ticket(1, { rulesVersion: 2 }), start);
    await store.enqueue(ticket(2, { rulesVersion: 2 }), start);
    await pool.follow();
    expect(pool.size).toBe(2);
    expect(pool.tick(start).proposals).toEqual([]);
    queues.addVersions([version(open, 2, 'new')]);
    await pool.follow();
    expect(pool.size).toBe(2);
    expect(pool.tick(start).proposals).toHaveLength(1);
  });

  it('explains the wait, and estimates it once enough similar tickets were matched', async () => {
    const { store, pool } = setUp();
    await pool.follow();
    const lease = await store.acquireLease(duel.name, 'me', 1e9, start);
    await store.enqueue(ticket(0), start);
    await pool.follow();
    expect(pool.explain('t0', start)).toMatchObject({ why: { rule: 'players' }, estimate: null });
    expect(pool.explain('t0', start)?.why.messages).toMatchObject([
      { code: 'waiting.players', params: { here: 1, seats: 2 } },
    ]);
    for (let i = 1; i <= 10; i++) {
      await store.enqueue(ticket(i, { enqueuedAt: start - i * 1_000 }), start);
      await pool.follow();
      const proposal = { matchId: `m${i}`, queue: duel.name, ticketIds: [`t${i}`], job: '{}', reason: '' };
      await store.propose(proposal, lease?.epoch ?? 0, 1e9, start);
    }
    await pool.follow();
    expect(pool.explain('t0', start)?.estimate).toEqual({ fromMs: 2_000, toMs: 7_000, basedOn: 10 });
    expect(pool.explain('t9', start)).toBeUndefined();
  });
});
