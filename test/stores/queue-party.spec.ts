import type { MatchUpdate } from '@muster/contracts';
import { PostgresPartyStore } from '../../apps/queue/src/parties/party.store.js';
import { PartyNotFound, seededRandom, type PlayerRating, type QueueRules } from '@muster/domain';
import { defaultQueues } from '@muster/matchmaking';
import { ids, readPlayerClaims } from '@muster/platform';
import { MemoryTicketStore } from '@muster/testing';
import { describe, expect, it } from 'vitest';
import { Enqueue } from '../../apps/queue/src/tickets/enqueue.js';
import { ApplyMatchUpdates } from '../../apps/queue/src/updates/match-updates.js';
import { Parties } from '../../apps/queue/src/parties/parties.js';
import { Queues } from '../../apps/queue/src/rules/queues.js';
import { databaseForEach, noon, range } from './fixtures.js';
import { as } from '../support/database.js';

const data = databaseForEach();
const [fives] = defaultQueues as [QueueRules, ...QueueRules[]];
const clock = { now: () => noon };

/** The real parties and the tickets of one process; reading ratings takes as long as `meanwhile`. */
function setUp(meanwhile: () => Promise<void> = async () => undefined) {
  const store = new PostgresPartyStore(as('queue', data().connect(4)), readPlayerClaims);
  const tickets = new MemoryTicketStore();
  const ratings = {
    ratingsOf: async (_pool: string, playerIds: readonly string[]): Promise<PlayerRating[]> => {
      await meanwhile();
      return playerIds.map((playerId) => ({ playerId, mu: 25, sigma: 8, matches: 99 }));
    },
    usableBooster: () => Promise.reject(new Error('nobody has a booster')),
  };
  const enqueue = new Enqueue({
    admission: { run: (work) => work() },
    parties: store,
    queues: new Queues([fives]),
    follow: { withNewest: async (_queue, step) => step() },
    builds: { ofUnnamed: async () => 'dev' },
    ratings,
    pauses: { check: () => Promise.resolve() },
    bans: { check: () => Promise.resolve() },
    penalties: { check: async () => [] },
    calibrate: { probes: async () => new Map() },
    standing: { ofTicket: async () => ({}) },
    store: tickets,
    clock,
    ids: { ...ids, former: ids },
  });
  const parties = new Parties(store, tickets, clock, ids);
  const asked = { queue: fives.name, build: 'b', maps: [], members: [] };
  const queue = (partyId: string, playerId: string, latencyMs = {}, idempotencyKey?: string) =>
    enqueue.run({ ...asked, partyId, leader: { playerId, latencyMs, claims: {} }, idempotencyKey });
  const alone = (playerId: string) =>
    enqueue.run({ ...asked, leader: { playerId, latencyMs: {}, claims: {} }, idempotencyKey: undefined });
  return { store, tickets, parties, queue, alone };
}

const someone = (playerId: string, latencyMs: Record<string, number> = {}) => ({
  playerId,
  latencyMs,
  claims: {},
});

async function partyOf(parties: Parties, ...playerIds: string[]): Promise<string> {
  const [leader = '', ...others] = playerIds;
  const { partyId } = await parties.create(someone(leader));
  for (const playerId of others) {
    await parties.invite(partyId, leader, playerId);
    await parties.join(partyId, someone(playerId));
  }
  return partyId;
}
const playersOf = (ticket: { readonly players: readonly { readonly playerId: string }[] }): string[] =>
  ticket.players.map((player) => player.playerId);

describe('a party whose leader never came to the match', () => {
  it('has another leader and waits at its old place, and the former leader is free', async () => {
    const { store, tickets, parties, queue } = setUp();
    const partyId = await partyOf(parties, 'ann', 'bob', 'cid');
    const { ticketId } = await queue(partyId, 'ann');
    const { epoch = 0 } = (await tickets.acquireLease(fives.name, 'me', 60_000, noon)) ?? {};
    const proposal = {
      matchId: 'm1',
      queue: fives.name,
      ticketIds: [ticketId],
      job: '{}',
      reason: 'A match.',
    };
    await tickets.propose(proposal, epoch, 60_000, noon);
    const updates = new ApplyMatchUpdates(
      tickets,
      { charge: async () => undefined },
      { now: () => noon + 60_000 },
      { tickets: async () => undefined },
      store,
    );
    const update: MatchUpdate = {
      kind: 'remade',
      matchId: 'm1',
      ticketIds: [ticketId],
      reason: 'ann never came.',
      failedTicketIds: [ticketId],
      outPlayerIds: ['ann'],
    };
    // The job is delivered twice.
    for (const _ of range(2)) await updates.run(update);
    expect(await parties.mine('ann')).toMatchObject({ party: { partyId, leader: 'bob' } });
    const ticket = await tickets.find(ticketId);
    expect(ticket).toMatchObject({ state: 'waiting', partyId, enqueuedAt: noon });
    expect(ticket && playersOf(ticket)).toEqual(['bob', 'cid']);
    expect(await tickets.ticketOf('ann')).toBeNull();
    // Who leads the party again keeps it when the job comes once more.
    await parties.pass(partyId, 'bob', 'ann');
    await updates.run(update);
    expect(await parties.mine('bob')).toMatchObject({ party: { leader: 'ann' } });
  });
});

describe('C4 a party that queues', () => {
  it('is as far from each region as the worst of its members', async () => {
    const { parties, queue } = setUp();
    const partyId = await partyOf(parties, 'ann', 'bob');
    await parties.join(partyId, someone('bob', { eu: 60, us: 90 }));
    const ticket = await queue(partyId, 'ann', { eu: 20, us: 100, asia: 5 });
    expect(ticket).toMatchObject({ partyId, latencyMs: { eu: 60, us: 100 } });
  });

  it('is refused when a member joined with another build, and queued when they join anew with the same', async () => {
    const { tickets, parties, queue } = setUp();
    const partyId = await partyOf(parties, 'ann', 'bob');
    await parties.join(partyId, { ...someone('bob'), build: 'old', platform: 'xbox' });
    await expect(queue(partyId, 'ann')).rejects.toMatchObject({
      code: 'mixed-builds',
      facts: {
        builds: [
          { playerId: 'ann', build: 'b' },
          { playerId: 'bob', build: 'old' },
        ],
      },
    });
    expect(await tickets.ticketOf('ann')).toBeNull();
    await parties.join(partyId, { ...someone('bob'), build: 'b', platform: 'xbox' });
    const { players } = await queue(partyId, 'ann');
    expect(players.map(({ platform }) => platform)).toEqual([undefined, 'xbox']);
  });

  it('is made of those who are in it when the ticket is made, not when it was asked for', async () => {
    let leaving = async (): Promise<void> => undefined;
    const { parties, queue } = setUp(() => leaving());
    const partyId = await partyOf(parties, 'ann', 'bob', 'cid');
    leaving = async () => {
      leaving = async () => undefined;
      await parties.leave(partyId, 'bob', 'bob');
    };
    expect(playersOf(await queue(partyId, 'ann'))).toEqual(['ann', 'cid']);
  });

  it('is given up when members come and go all the time, and not queued', async () => {
    let turn = 0;
    const { tickets, parties, queue } = setUp(async () => {
      await parties.join(partyId, someone('bob', { eu: ++turn }));
    });
    const partyId = await partyOf(parties, 'ann', 'bob');
    await expect(queue(partyId, 'ann')).rejects.toMatchObject({ code: 'party-changed' });
    expect(await tickets.ticketOf('ann')).toBeNull();
  });

  it('is the same ticket for the same key, even when it has other members by now', async () => {
    const { parties, queue } = setUp();
    const partyId = await partyOf(parties, 'ann', 'bob');
    const ticket = await queue(partyId, 'ann', {}, 'key');
    expect(await queue(partyId, 'ann', {}, 'key')).toEqual(ticket);
    await parties.leave(partyId, 'bob', 'bob');
    expect(await queue(partyId, 'ann', {}, 'key')).toMatchObject({
      ticketId: ticket.ticketId,
      state: 'cancelled',
    });
    await expect(queue(partyId, 'ann', { eu: 1 }, 'key')).rejects.toMatchObject({
      code: 'idempotency-key-reused',
    });
  });

  it('is left alone in a match, and cannot be left in the moment in which one is made', async () => {
    const { tickets, parties, queue } = setUp();
    const partyId = await partyOf(parties, 'ann', 'bob');
    const { ticketId } = await queue(partyId, 'ann');
    const lease = await tickets.acquireLease(fives.name, 'matcher', 1_000, noon);
    const proposal = { matchId: 'mat_1', queue: fives.name, ticketIds: [ticketId], job: '', reason: '' };
    await tickets.propose(proposal, lease?.epoch ?? 0, 1_000, noon);
    await expect(parties.leave(partyId, 'bob', 'bob')).rejects.toMatchObject({
      code: 'ticket-already-matched',
    });
    expect((await parties.mine('bob')).party).not.toBeNull();
    await tickets.confirm('mat_1', [ticketId], '', noon);
    expect(playersOf({ players: (await parties.leave(partyId, 'bob', 'bob'))?.members ?? [] })).toEqual([
      'ann',
    ]);
    expect(await tickets.find(ticketId)).toMatchObject({ state: 'placing' });
  });

  it('does not take away a ticket that a member has of their own', async () => {
    const { tickets, parties, queue, alone } = setUp();
    const partyId = await partyOf(parties, 'ann', 'bob');
    const own = await alone('bob');
    await expect(queue(partyId, 'ann')).rejects.toMatchObject({ code: 'player-already-queued' });
    await parties.leave(partyId, 'bob', 'bob');
    expect(await tickets.find(own.ticketId)).toMatchObject({ state: 'waiting' });
  });

  it('never waits with somebody who is not in it, in whatever order members leave, come back and are queued', async () => {
    const random = seededRandom(20);
    const { tickets, parties, queue } = setUp();
    const guests = range(4).map((i) => `guest${i}`);
    const partyId = await partyOf(parties, 'ann', ...guests);
    let queued = 0;
    for (let round = 0; round < 12; round++) {
      const leaving = guests.filter(() => random() < 0.4);
      const [ticket] = await Promise.all([
        queue(partyId, 'ann').catch(() => null),
        ...leaving.map((playerId) =>
          parties.leave(partyId, playerId, playerId).catch((error: unknown) => {
            if (!(error instanceof PartyNotFound)) throw error;
          }),
        ),
      ]);
      const members = (await parties.mine('ann')).party?.members.map((member) => member.playerId) ?? [];
      const now = ticket && (await tickets.find(ticket.ticketId));
      if (now?.state === 'waiting') {
        queued++;
        for (const playerId of playersOf(now)) expect(members).toContain(playerId);
        await tickets.cancel(now.ticketId, '', noon);
      }
      for (const playerId of leaving) {
        await parties.invite(partyId, 'ann', playerId);
        await parties.join(partyId, someone(playerId));
      }
    }
    expect(queued).toBeGreaterThan(0);
  });
});
