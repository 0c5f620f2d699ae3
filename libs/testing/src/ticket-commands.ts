import type { Ticket, TicketMatchState, TicketStore } from '@muster/domain';
import fc from 'fast-check';
import { aTicket, anAssignment, testTime, tickets } from './generators.js';

/** The few ids of random commands, so that they collide. */
export const commandIds = {
  tickets: ['t1', 't2', 't3', 't4', 't5', 't6'],
  players: ['ann', 'bob', 'cid', 'dan', 'constructor'],
  matches: ['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8'],
  queues: ['duel', 'squad'],
} as const;

/** `matchId` may be `theirs`: the present match of one of the tickets when the command runs. */
type OfMatch = { readonly matchId: string; readonly ticketIds: readonly string[]; readonly reason: string };

/** One call of a store, as data. */
export type TicketCommand =
  | { readonly do: 'enqueue'; readonly ticket: Ticket }
  | { readonly do: 'cancel' | 'withdraw'; readonly ticketId: string }
  | { readonly do: 'expire'; readonly queue: string; readonly limit: number }
  | { readonly do: 'acquireLease'; readonly queue: string; readonly holder: string; readonly ttlMs: number }
  | { readonly do: 'releaseLease'; readonly queue: string; readonly holder: string }
  /** `behind`: how many epochs are between the lease and the one that the caller believes in. */
  | ({ readonly do: 'propose'; readonly queue: string; readonly behind: number } & OfMatch)
  /** A matcher's whole step: the lease, the longest waiting tickets, a proposal of them. */
  | {
      readonly do: 'match';
      readonly matchId: string;
      readonly holder: string;
      readonly size: number;
      /** How long players have to accept; null: no ready check. */
      readonly acceptMs: number | null;
    }
  | { readonly do: 'accept' | 'decline'; readonly ticketId: string; readonly playerId: string | null }
  | {
      readonly do: 'overdueReadyChecks';
      readonly limit: number;
      readonly end: boolean;
      readonly deafMs: number;
    }
  | { readonly do: 'endReadyCheck'; readonly ticketId: string }
  | { readonly do: 'blamed'; readonly limit: number; readonly forget: boolean }
  | { readonly do: 'overdueProposals'; readonly limit: number }
  | ({ readonly do: 'confirm' } & OfMatch)
  | ({ readonly do: 'release'; readonly failed: readonly string[] } & OfMatch)
  | ({
      readonly do: 'remake';
      readonly failed: readonly string[];
      readonly left: readonly string[];
      readonly out: readonly string[];
      /** Milliseconds from now. */
      readonly lifeMs: number;
    } & OfMatch)
  | ({ readonly do: 'note' } & OfMatch)
  | ({ readonly do: 'assign'; readonly team: number } & OfMatch)
  | ({ readonly do: 'close'; readonly matchState: TicketMatchState } & OfMatch);

/** Runs a command. @returns the store's answer */
export async function carryOut(store: TicketStore, command: TicketCommand, now: number): Promise<unknown> {
  switch (command.do) {
    case 'enqueue':
      return store.enqueue(command.ticket, now);
    case 'cancel':
      return store.cancel(command.ticketId, 'Enough.', now);
    case 'withdraw':
      return store.withdraw(command.ticketId, 'Out.', 'Fell apart.', now);
    case 'expire':
      return store.expire(command.queue, 'Too long.', now, command.limit);
    case 'acquireLease':
      return store.acquireLease(command.queue, command.holder, command.ttlMs, now);
    case 'releaseLease':
      return store.releaseLease(command.queue, command.holder);
    case 'propose': {
      const { matchId, queue, ticketIds, reason, behind } = command;
      const lease = await store.acquireLease(queue, 'a', 30, now);
      const epoch = (lease?.epoch ?? 0) - behind;
      return store.propose({ matchId, queue, ticketIds, reason, job: `job of ${matchId}` }, epoch, 20, now);
    }
    case 'match': {
      const { matchId, holder, size, acceptMs } = command;
      const lease = await store.acquireLease('duel', holder, 30, now);
      const ids = await store.waiting('duel', size);
      if (!lease || ids.length === 0) return { lease, ids };
      const readyCheck =
        acceptMs === null ? {} : { readyCheck: { acceptBy: now + acceptMs, reason: 'Come?' } };
      const proposal = {
        matchId,
        queue: 'duel',
        ticketIds: ids,
        reason: 'A match.',
        job: '{}',
        ...readyCheck,
      };
      return { lease, ids, answer: await store.propose(proposal, lease.epoch, 20, now) };
    }
    case 'accept':
      return store.accept(command.ticketId, await playerOf(store, command), 'All are in.', 20, now);
    case 'decline':
      return store.decline(command.ticketId, await playerOf(store, command), 'Declined.', 'Fell apart.', now);
    case 'overdueReadyChecks': {
      const overdue = await store.overdueReadyChecks(now, command.limit, command.deafMs);
      if (!command.end) return overdue;
      for (const { matchId, unanswered } of overdue) {
        const words = new Map(
          unanswered.map((ticket) => [ticket.ticketId, `${ticket.playerIds.join()} slept.`]),
        );
        await store.endReadyCheck(matchId, words, 'Fell apart.', now);
      }
      return overdue;
    }
    case 'endReadyCheck': {
      const record = await store.find(command.ticketId);
      return store.endReadyCheck(record?.matchId ?? 'none', new Map(), 'Fell apart.', now);
    }
    case 'blamed': {
      const blamed = await store.blamed(command.limit);
      if (command.forget) for (const { matchId } of blamed) await store.forgetBlame(matchId);
      return blamed;
    }
    case 'overdueProposals':
      return store.overdueProposals(now, 20, command.limit);
    case 'confirm':
      return store.confirm(await matchOf(store, command), command.ticketIds, command.reason, now);
    case 'release':
      return store.release(
        await matchOf(store, command),
        command.ticketIds,
        command.failed,
        command.reason,
        now,
      );
    case 'remake':
      return store.remake(
        await matchOf(store, command),
        command.ticketIds,
        command.failed,
        { back: command.reason, ended: 'Ended.', left: 'Left.', late: 'Late.' },
        now,
        { left: command.left, out: command.out, expiresAt: now + command.lifeMs },
      );
    case 'note':
      return store.note(await matchOf(store, command), command.ticketIds, command.reason, now);
    case 'assign': {
      const assignment = anAssignment(await matchOf(store, command), { team: command.team });
      const seated = [];
      for (const id of command.ticketIds)
        seated.push(await store.assign(id, assignment, command.reason, now));
      return seated;
    }
    case 'close':
      return store.close(
        await matchOf(store, command),
        command.ticketIds,
        command.matchState,
        command.reason,
        now,
      );
  }
}

/** By default the first player of the ticket who has not accepted. */
async function playerOf(
  store: TicketStore,
  { ticketId: id, playerId }: { readonly ticketId: string; readonly playerId: string | null },
): Promise<string> {
  if (playerId !== null) return playerId;
  const record = await store.find(id);
  const { players = [], accepted = [] } = record ?? {};
  return players.find((player) => !accepted.includes(player.playerId))?.playerId ?? 'ann';
}

async function matchOf(
  store: TicketStore,
  { matchId: named, ticketIds: ids }: Pick<OfMatch, 'matchId' | 'ticketIds'>,
): Promise<string> {
  if (named !== 'theirs') return named;
  for (const id of ids) {
    const record = await store.find(id);
    if (record?.matchId !== undefined && !record.closed) return record.matchId;
  }
  return 'none';
}

const queue = fc.constantFrom('duel', 'duel', 'duel', 'squad');
const holder = fc.constantFrom('a', 'b');
const ticketId = fc.constantFrom(...commandIds.tickets);
const matchId = fc.constantFrom(...commandIds.matches);
const limit = fc.integer({ min: 0, max: 3 });
const reason = fc.constantFrom('One.', 'Two.');
const someTickets = (minLength: number, maxLength: number): fc.Arbitrary<string[]> =>
  fc.uniqueArray(fc.constantFrom(...commandIds.tickets, 't0'), { minLength, maxLength });
// Most of them are not in the match, and must stay unchanged.
const ticketIds = someTickets(2, 7);
const someMatch = fc.oneof(
  { weight: 1, arbitrary: matchId },
  { weight: 4, arbitrary: fc.constant('theirs') },
);
const ofMatch = { matchId: someMatch, ticketIds, reason };

const command: fc.Arbitrary<TicketCommand> = fc.oneof(
  {
    weight: 5,
    arbitrary: tickets(commandIds.tickets, commandIds.players).map((ticket) => ({
      do: 'enqueue' as const,
      ticket,
    })),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('cancel', 'withdraw'), ticketId }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('expire' as const), queue, limit }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('acquireLease' as const),
      queue,
      holder,
      ttlMs: fc.integer({ min: 1, max: 60 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('releaseLease' as const), queue, holder }) },
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constant('match' as const),
      matchId,
      holder,
      size: fc.integer({ min: 1, max: 3 }),
      acceptMs: fc.constantFrom(null, 5, 40),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('accept' as const),
      ticketId,
      playerId: fc.oneof(
        { weight: 8, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.constantFrom(...commandIds.players) },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('decline' as const),
      ticketId,
      playerId: fc.constantFrom(null, ...commandIds.players),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('overdueReadyChecks' as const),
      limit,
      end: fc.boolean(),
      deafMs: fc.constantFrom(0, 0, 0, 10),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('endReadyCheck' as const), ticketId }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('blamed' as const), limit, forget: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('propose' as const),
      queue,
      behind: fc.constantFrom(0, 0, 0, 1),
      ...ofMatch,
      matchId,
      ticketIds: someTickets(1, 2),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('overdueProposals' as const), limit }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('confirm' as const), ...ofMatch }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('release' as const),
      ...ofMatch,
      failed: fc.uniqueArray(ticketId, { maxLength: 2 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('remake' as const),
      ...ofMatch,
      failed: fc.uniqueArray(ticketId, { maxLength: 2 }),
      left: fc.uniqueArray(ticketId, { maxLength: 2 }),
      out: fc.uniqueArray(fc.constantFrom(...commandIds.players), { maxLength: 2 }),
      lifeMs: fc.constantFrom(0, 60_000),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('note' as const), ...ofMatch }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('assign' as const),
      ...ofMatch,
      team: fc.nat({ max: 1 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('close' as const),
      ...ofMatch,
      matchState: fc.constantFrom('rated' as const, 'abandoned' as const, 'void' as const),
    }),
  },
);

/** A command and its time. */
export interface TimedCommand {
  readonly at: number;
  readonly command: TicketCommand;
}

/** The start of every list, so that the rest has tickets to work on. */
const opening: readonly TicketCommand[] = [
  { do: 'acquireLease', queue: 'duel', holder: 'a', ttlMs: 100 },
  { do: 'enqueue', ticket: aTicket({ ticketId: 't1', players: ['ann'], fingerprint: 'a' }) },
  { do: 'enqueue', ticket: aTicket({ ticketId: 't2', players: ['bob', 'cid'], fingerprint: 'a' }) },
];

/** Commands in sequence; time advances by a little, and occasionally by much. */
export const commandLists: fc.Arbitrary<TimedCommand[]> = fc
  .array(fc.record({ pause: fc.constantFrom(0, 1, 1, 2, 5, 30), command }), {
    minLength: 10,
    maxLength: 50,
    size: 'max',
  })
  .map((list) => {
    let at = testTime;
    return [
      ...opening.map((what) => ({ at, command: what })),
      ...list.map(({ pause, command: what }) => ({ at: (at += pause), command: what })),
    ];
  });
