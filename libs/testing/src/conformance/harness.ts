import type { Explanation, TicketState, TicketStore } from '@muster/domain';
import { expect, it } from 'vitest';
import { testTime } from '../generators.js';

/** A store created for one test, initially empty. */
export interface StoreUnderTest {
  readonly store: TicketStore;
  /** The same store as other processes see it, through separate connections. */
  readonly others?: readonly TicketStore[];
  dispose?(): Promise<void>;
}

export type CreateStore = () => Promise<StoreUnderTest>;

export type StoreTest = (says: string, test: (store: TicketStore) => Promise<void>) => void;

/** `it`, with a separate store for each test. */
export function storeTest(create: CreateStore): StoreTest {
  return (says, test) =>
    it(says, async () => {
      const made = await create();
      try {
        await test(made.store);
      } finally {
        await made.dispose?.();
      }
    });
}

/** The lease time that the tests below use. */
export const leaseMs = 5_000;

/** A matcher's whole step: acquires the queue's lease and claims the tickets. */
export async function claim(
  store: TicketStore,
  matchId: string,
  ticketIds: readonly string[],
  now = testTime,
  reason: Explanation = 'A match.',
): Promise<void> {
  const lease = await store.acquireLease('duel', 'matcher', 60_000, now);
  expect(lease).not.toBeNull();
  const proposal = { matchId, queue: 'duel', ticketIds, job: `job of ${matchId}`, reason };
  expect(await store.propose(proposal, lease?.epoch ?? 0, leaseMs, now)).toEqual({ outcome: 'claimed' });
}

/** Checks a ticket's sequence of states, that no number is missing, and that the record agrees with the log. */
export async function expectStory(
  store: TicketStore,
  ticketId: string,
  states: readonly TicketState[],
): Promise<void> {
  const events = await store.eventsAfter(ticketId, 0);
  expect(events.map(({ state }) => state)).toEqual(states);
  expect(events.map(({ seq }) => seq)).toEqual(states.map((_, i) => i + 1));
  const last = events.at(-1);
  expect(await store.find(ticketId)).toMatchObject({ ...last });
}

/** Runs an action, and checks that it adds no event to the tickets. */
export async function expectNoEffect<T>(
  store: TicketStore,
  ticketIds: readonly string[],
  action: () => Promise<T>,
): Promise<T> {
  const before = await snapshot(store, ticketIds);
  const answer = await action();
  expect(await snapshot(store, ticketIds)).toEqual(before);
  return answer;
}

/** Everything that a store holds about some tickets, their players and their queues. */
export async function snapshot(store: TicketStore, ticketIds: readonly string[]): Promise<unknown> {
  const tickets = await store.tickets(ticketIds);
  const players = tickets.flatMap((ticket) => ticket.players.map(({ playerId }) => playerId));
  return {
    tickets,
    records: await Promise.all(ticketIds.map((id) => store.find(id))),
    events: await Promise.all(ticketIds.map((id) => store.eventsAfter(id, 0))),
    holders: await Promise.all(players.map(async (id) => [id, await store.ticketOf(id)])),
    waiting: await Promise.all(['duel', 'squad'].map((queue) => store.waiting(queue, 100))),
  };
}
