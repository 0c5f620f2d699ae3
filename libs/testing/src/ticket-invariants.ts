import {
  isLast,
  type RecordedTicket,
  type TicketEvent,
  type TicketRecord,
  type TicketState,
  type TicketStore,
} from '@muster/domain';
import { expect } from 'vitest';

const allowed: Readonly<Record<TicketState, readonly TicketState[]>> = {
  waiting: ['proposed', 'cancelled', 'expired'],
  // Cancelled: they left a match without a server, and this arrives before the news that it was formed.
  proposed: ['waiting', 'accepting', 'placing', 'assigned', 'cancelled', 'failed'],
  // Once more when everybody accepted; cancelled when a player did not.
  accepting: ['accepting', 'waiting', 'placing', 'assigned', 'cancelled', 'failed'],
  // Waiting when the match is cancelled and formed again; cancelled when it had no server and they left.
  placing: ['placing', 'assigned', 'waiting', 'cancelled', 'failed'],
  // Again when the match closes: rated in the normal case, or abandoned.
  assigned: ['assigned', 'waiting', 'failed'],
  cancelled: [],
  expired: [],
  failed: [],
};

/** Checks one ticket's whole log: no gap, only allowed transitions, at most one end, at most one assignment. */
export function checkStory(record: TicketRecord, events: readonly TicketEvent[]): void {
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
  expect(record).toMatchObject({ ...events.at(-1) });
  expect(events[0]).toMatchObject({ ticketId: record.ticketId, state: 'waiting' });
  for (const [i, event] of events.entries()) {
    const before = events[i - 1];
    if (!before) continue;
    expect(isLast(before), `event ${before.seq} of ${record.ticketId} is an end`).toBe(false);
    expect(allowed[before.state], `after ${before.state} of ${record.ticketId}`).toContain(event.state);
    if (before.state === 'assigned' && event.state !== 'waiting') {
      expect(isLast(event)).toBe(true);
      expect(event.assignment).toEqual(before.assignment);
    }
    // A claim by a second match would show as another match id without a return to the queue in between.
    if (before.matchId !== undefined && event.matchId !== undefined)
      expect(event.matchId).toBe(before.matchId);
    if (event.state === 'waiting')
      for (const of of ['matchId', 'matchState', 'assignment'] as const) expect(event[of]).toBeUndefined();
    // Asked once only.
    expect(event.acceptBy !== undefined).toBe(event.state === 'accepting' && before.state === 'proposed');
  }
  const ends = events.filter(isLast);
  expect(ends).toHaveLength(record.closed ? 1 : 0);
  if (record.state === 'cancelled' || record.state === 'expired' || record.state === 'waiting') {
    expect(record.assignment).toBeUndefined();
    const last = events.slice(events.findLastIndex(({ state }) => state === 'waiting'));
    expect(last.some(({ state, assignment }) => state === 'assigned' || assignment)).toBe(false);
  }
}

/** Checks the invariants between all tickets of a queue: held players, and waiting tickets. */
export async function checkQueue(
  store: TicketStore,
  queue: string,
  records: readonly TicketRecord[],
  playerIds: readonly string[],
): Promise<void> {
  const holders = new Map<string, string>();
  for (const { ticketId, players, closed } of records) {
    if (closed) continue;
    for (const { playerId } of players) {
      expect(holders.get(playerId), `${playerId} is held twice`).toBeUndefined();
      holders.set(playerId, ticketId);
    }
  }
  for (const playerId of playerIds) {
    expect(await store.ticketOf(playerId), `who holds ${playerId}`).toBe(holders.get(playerId) ?? null);
  }
  const waiting = records
    .filter(({ state }) => state === 'waiting')
    .sort((a, b) => a.expiresAt - b.expiresAt || (a.ticketId < b.ticketId ? -1 : 1))
    .map(({ ticketId }) => ticketId);
  expect(await store.waiting(queue, 1_000)).toEqual(waiting);
  expect(await poolByChanges(store, queue)).toEqual(waiting.toSorted());
  expect(await poolByScan(store, queue)).toEqual(waiting.toSorted());
}

/** The tickets that a match claimed, by the logs of all tickets, and those of them that it kept. */
export function matchesOf(
  stories: ReadonlyMap<string, readonly TicketEvent[]>,
): Map<string, { claimed: string[]; kept: string[] }> {
  const matches = new Map<string, { claimed: string[]; kept: string[] }>();
  for (const [ticketId, events] of stories) {
    for (const { state, matchId } of events) {
      if (matchId === undefined) continue;
      const match = matches.get(matchId) ?? { claimed: [], kept: [] };
      matches.set(matchId, match);
      if (state === 'proposed') match.claimed.push(ticketId);
      if (state === 'placing') match.kept.push(ticketId);
    }
  }
  return matches;
}

/** The waiting tickets, by following every change from the first. */
export async function poolByChanges(store: TicketStore, queue: string): Promise<string[]> {
  const pool = new Set<string>();
  for (let after = 0; ;) {
    const { changes, newest, lost } = await store.poolChanges(queue, after, 50);
    expect(lost).toBe(false);
    for (const change of changes) {
      if (change.joined) pool.add(change.joined.ticketId);
      else pool.delete(change.left);
    }
    after += changes.length;
    if (after >= newest) return [...pool].sort();
  }
}

/** The waiting tickets, by reading the pool page by page. */
export async function poolByScan(store: TicketStore, queue: string): Promise<string[]> {
  const pool = new Set<string>();
  let cursor = '0';
  do {
    const page = await store.scanPool(queue, cursor, 7);
    for (const { ticketId } of page.tickets) pool.add(ticketId);
    cursor = page.cursor;
  } while (cursor !== '0');
  return [...pool].sort();
}

/** A queue's record, read page by page. */
export async function recordByScan(
  store: TicketStore,
  queue: string,
  since: number,
): Promise<RecordedTicket[]> {
  const record = new Map<string, RecordedTicket>();
  let cursor = '0';
  do {
    const page = await store.recorded(queue, since, cursor, 7);
    for (const each of page.tickets) record.set(each.ticket.ticketId, each);
    cursor = page.cursor;
  } while (cursor !== '0');
  return [...record].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}
