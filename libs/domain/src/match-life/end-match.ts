import { partOutstanding } from '../backfill-life/let-in.js';
import type { Message } from '../messages/index.js';
import type { Changes, Decision, Ending, MatchJob, TicketUpdate } from './decision.js';
import type { MatchOffence } from '../schemas/offences.js';
import { ticketIdsOf, type MatchFacts, type Roster, type RosterEntry } from './state.js';

type Step = Pick<Decision<never>, 'jobs'> & { readonly changes: Changes };

/** The match keeps waiting for a server: its next attempt is due now, and its tickets are notified of the reason. */
export function placeAgain(match: Roster & { readonly matchId: string }, reason: Message, now: number): Step {
  const { matchId } = match;
  return {
    changes: { matchId, placement: { dueAt: now } },
    jobs: [{ kind: 'update', matchId, ticketIds: ticketIdsOf(match), reason, update: { to: 'placing' } }],
  };
}

/** How the tickets of an abandoned match end. Without `remade` all of them end; otherwise others return to the queue. */
export interface Abandonment {
  /** The reason in the match's row. */
  readonly reason: Message;
  /** The reason for its tickets; the same unless given. */
  readonly told?: Message | undefined;
  readonly remade?: Omit<Extract<TicketUpdate, { readonly to: 'remade' }>, 'to' | keyof Ending> | undefined;
  /** `abandoned` when absent. */
  readonly as?: 'abandoned' | 'void' | undefined;
  /** The offences of the match from now on; absent: as they are. */
  readonly blame?: readonly MatchOffence[];
}

/** The players of a match return to the queue, with their parties, except some of them. */
export function remadeWithout<Player extends RosterEntry>(
  players: readonly Player[],
  isOut: (player: Player) => boolean,
): NonNullable<Abandonment['remade']> {
  const out = players.filter(isOut);
  return {
    failedTicketIds: ticketIdsOf({ players: out }),
    outPlayerIds: out.map(({ playerId }) => playerId),
  };
}

/**
 * Ends a match without a result: its players are released and its tickets are notified. Tickets that its server has not let in
 * wait again.
 *
 * @returns null when the match ended before
 */
export function abandonMatch(whole: MatchFacts, abandonment: Abandonment, now: number): Step | null {
  const { reason, told = reason, remade, as = 'abandoned', blame } = abandonment;
  if (whole.state !== 'formed' && whole.state !== 'placed') return null;
  const { match, ...parted } = partOutstanding(whole, blame?.map(({ playerId }) => playerId) ?? []);
  const { matchId, queue } = match;
  const ending = { queue, offences: blame ?? match.blame };
  const update: TicketUpdate = remade
    ? { to: 'remade', ...remade, ...ending }
    : { to: 'abandoned', ...ending, ...(as === 'void' ? { matchState: as } : {}) };
  const job: MatchJob = { kind: 'update', matchId, ticketIds: ticketIdsOf(match), reason: told, update };
  return {
    changes: {
      matchId,
      match: { from: ['formed', 'placed'], to: as, closedAt: now, reason },
      placement: 'over',
      freesPlayers: true,
      ...parted.changes,
      ...(blame ? { blame } : {}),
    },
    jobs: [job, ...parted.jobs],
  };
}
