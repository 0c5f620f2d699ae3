import type { BackfillView, SeatFill } from '../matches/backfill.js';
import { message } from '../messages/index.js';
import { unchanged, type Decision, type MatchJob } from '../match-life/decision.js';
import type { SessionFacts } from '../match-life/state.js';
import type { SeatOrder, TicketSeats } from './changes.js';
import { openBackfillOf, type FillableMatch } from './state.js';

/** The server is told to let the players in, and their ticket that it has seats. */
export function seatJobs({
  proposalId,
  backfillId,
  ticketId,
}: Pick<SeatFill, 'proposalId' | 'backfillId' | 'ticketId'>): MatchJob[] {
  return [
    { kind: 'seat-filled', proposalId, backfillId, ticketId },
    {
      kind: 'update',
      matchId: proposalId,
      ticketIds: [ticketId],
      reason: message('seat.given'),
      update: { to: 'formed' },
    },
  ];
}

/** A ticket that took seats, as the job says it. */
export interface TakenSeat extends TicketSeats {
  readonly proposalId: string;
}

/** A backfill of which seats were taken. */
export interface TakenFacts {
  readonly session: SessionFacts;
  /** As it is now: other tickets may have taken seats since. */
  readonly backfill: BackfillView;
  readonly match: FillableMatch;
  /** Whether the server was commanded before to let the ticket in. */
  readonly ordered: boolean;
}

/**
 * A ticket took seats: its server is commanded to let the players in, once, and the matcher looks for more players while seats are
 * left. When the session is over, the end of the match tells the ticket.
 *
 * @param taken null: there is no such backfill
 * @returns the server to wake; null: none
 */
export function decideSeatOrder(
  taken: TakenFacts | null,
  { proposalId, backfillId, ticketId }: TakenSeat,
  now: number,
): Decision<string | null> {
  if (taken?.session.state !== 'live' || taken.ordered) return unchanged(null);
  const { session, backfill, match } = taken;
  const { serverId, sessionId } = session;
  const added = match.players.filter((each) => each.backfillId === backfillId && each.ticketId === ticketId);
  const payload: SeatOrder = {
    proposalId,
    backfillId,
    ticketId,
    team: backfill.team,
    playerIds: added.map(({ playerId }) => playerId),
    roles: Object.fromEntries(
      added.flatMap(({ playerId, role }) => (role === null ? [] : [[playerId, role]])),
    ),
  };
  const { matchId, rules } = match;
  return {
    outcome: serverId,
    changes: { matchId, command: { serverId, kind: 'add-players', sessionId, payload, at: now } },
    jobs:
      backfill.state === 'open' && rules
        ? [{ kind: 'wanted', backfill: openBackfillOf(backfill, match, rules) }]
        : [],
  };
}
