import type { AnswerResult, CommandAnswer } from '../placement-store.js';
import { message, type Message } from '../messages/index.js';
import { unchanged, type AnsweredCommand, type Decision } from '../match-life/decision.js';
import type { SeatOrder } from './changes.js';

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
  { matchId, order }: Pick<SeatCommand, 'matchId' | 'order'>,
  answered: AnsweredCommand,
  reason: Message,
  outcome: Outcome,
): Decision<Outcome> {
  const { backfillId, ticketId } = order;
  return {
    outcome,
    changes: { matchId, answered, unseated: { backfillId, ticketId } },
    jobs: [
      {
        kind: 'update',
        matchId,
        ticketIds: [ticketId],
        reason,
        update: { to: 'remade', failedTicketIds: [], queue: null, offences: [] },
      },
    ],
  };
}
