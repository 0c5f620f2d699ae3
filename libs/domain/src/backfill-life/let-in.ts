import type { AnswerResult, CommandAnswer } from '../match-life/answer.js';
import { message, type Message } from '../messages/index.js';
import {
  unchanged,
  type AnsweredCommand,
  type Changes,
  type Decision,
  type MatchJob,
} from '../match-life/decision.js';
import type { MatchFacts } from '../match-life/state.js';
import type { SeatOrder, TicketSeats } from './changes.js';

/** A command to let players in that is not answered yet. */
export interface SeatCommand {
  readonly serverId: string;
  readonly seq: number;
  readonly order: SeatOrder;
  readonly sessionId: string;
  readonly matchId: string;
  /** Whether the session is live: at its end all tickets of the match are told. */
  readonly sessionLive: boolean;
  /** Where players connect. */
  readonly region: string;
  readonly host: string;
  readonly port: number;
}

/**
 * A server answers that it lets players in, or does not: then their ticket waits again. The seats are not offered anew; the server
 * may ask anew.
 */
export function decideSeatAnswer(command: SeatCommand, reply: CommandAnswer): Decision<AnswerResult> {
  const { serverId, seq, order, sessionId, matchId, region, host, port } = command;
  const answered: AnsweredCommand = { serverId, seq, state: reply.status };
  const outcome: AnswerResult = { outcome: 'accepted', matchId: null };
  if (!command.sessionLive) return { outcome, changes: { matchId, answered }, jobs: [] };
  if (reply.status === 'refused')
    return takeBack(command, answered, message('seat.refused', { detail: reply.reason }), outcome);
  const { proposalId, ticketId, team } = order;
  const at = { sessionId, serverId, region, host, port };
  return {
    outcome,
    changes: { matchId, answered },
    jobs: [
      {
        kind: 'update',
        matchId,
        ticketIds: [ticketId],
        reason: message('seat.joined', { region }),
        update: { to: 'joined', proposalId, ticketId, team, ...at },
      },
    ],
  };
}

/**
 * A server did not answer in time: the command is withdrawn, and the ticket waits again.
 *
 * @param command null: it was answered or withdrawn before
 * @returns whether it is withdrawn now
 */
export function decideSeatWithdrawal(
  command: Omit<SeatCommand, 'region' | 'host' | 'port'> | null,
): Decision<boolean> {
  if (!command) return unchanged(false);
  const { serverId, seq, matchId } = command;
  const withdrawn: AnsweredCommand = { serverId, seq, state: 'withdrawn' };
  return command.sessionLive
    ? takeBack(command, withdrawn, message('seat.not-answered'), true)
    : { outcome: true, changes: { matchId, answered: withdrawn }, jobs: [] };
}

/** The players of a ticket are in the match no more, and the ticket waits again. */
function takeBack<Outcome>(
  { matchId, order: { backfillId, ticketId } }: Pick<SeatCommand, 'matchId' | 'order'>,
  answered: AnsweredCommand,
  reason: Message,
  outcome: Outcome,
): Decision<Outcome> {
  return {
    outcome,
    changes: { matchId, answered, unseated: [{ backfillId, ticketId }] },
    jobs: [waitAgain(matchId, [ticketId], reason)],
  };
}

function waitAgain(matchId: string, ticketIds: readonly string[], reason: Message): MatchJob {
  const update = { to: 'remade', failedTicketIds: [], queue: null, offences: [] } as const;
  return { kind: 'update', matchId, ticketIds, reason, update };
}

/** A match that ends, and those of its tickets that its server never let in. */
export interface Parted<Match> {
  /** The match without them. */
  readonly match: Match;
  readonly changes: Pick<Changes, 'unseated'>;
  /** Their tickets wait again at their old place. */
  readonly jobs: readonly MatchJob[];
}

/**
 * A match ends while its server has not confirmed some seats: their players were not in it, unless the server names one of them
 * in its last report, or named one as a leaver before.
 */
export function partOutstanding<Match extends MatchFacts>(
  match: Match,
  named: readonly string[],
): Parted<Match> {
  const isNamed = ({ ticketId }: TicketSeats): boolean =>
    match.players.some(
      (player) => player.ticketId === ticketId && (player.leftAt !== null || named.includes(player.playerId)),
    );
  const unseated = (match.outstanding ?? []).filter((seats) => !isNamed(seats));
  if (unseated.length === 0) return { match, changes: {}, jobs: [] };
  const ticketIds = [...new Set(unseated.map(({ ticketId }) => ticketId))];
  const players = match.players.filter(({ ticketId }) => ticketId === null || !ticketIds.includes(ticketId));
  return {
    match: { ...match, players },
    changes: { unseated },
    jobs: [waitAgain(match.matchId, ticketIds, message('seat.not-let-in'))],
  };
}
