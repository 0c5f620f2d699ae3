import {
  Attributes,
  unpackReason,
  type GetRosterReply,
  type GetRosterRequest,
  type JudgeTicketsReply,
  type JudgeTicketsRequest,
  type ListLiveTicketsReply,
  type ListLiveTicketsRequest,
  type LiveTicketMessage,
  type SettleProposalReply,
  type SettleProposalRequest,
} from '@muster/contracts';
import {
  matchStateOf,
  MatchUnavailable,
  type AskedTicket,
  type JudgedTicket,
  type LivePage,
  type LiveTicket,
  type MatchRoster,
  type ProposalVerdict,
} from '@muster/domain';
import { RpcUnavailable, type RpcCaller } from '@muster/platform';

const deadlineMs = 3_000;
/** For calls that recovery makes. */
const recoveryDeadlineMs = 5_000;
/** The service answers for so many tickets at once. */
const judgedAtOnce = 1_000;
/** The gRPC status of a call that a service does not know. */
const unimplemented = 12;

/** Asks the assignment service for what it knows of matches: rosters, verdicts on proposals, tickets. */
export class AssignmentClient {
  constructor(private readonly client: RpcCaller) {}

  /** The players of a match. @returns null when there is no such match @throws MatchUnavailable */
  async rosterOf(matchId: string): Promise<MatchRoster | null> {
    const { found, state, placed, players } = await this.rosterReply(matchId);
    if (!found) return null;
    return {
      state: matchStateOf(state),
      placed,
      players: players.map(({ playerId, team, ticketId }) => ({
        playerId,
        team,
        ticketId: ticketId === '' ? null : ticketId,
      })),
    };
  }

  /** The verdict on a proposal. Asking refuses an undecided one. */
  async settleProposal(matchId: string): Promise<ProposalVerdict> {
    const reply = await this.client.call<SettleProposalRequest, SettleProposalReply>(
      'settleProposal',
      { matchId },
      deadlineMs,
    );
    return {
      verdict: reply.verdict === 'formed' ? 'formed' : 'refused',
      reason: unpackReason(reply),
      failedTicketIds: reply.failedTicketIds,
    };
  }

  /**
   * Tickets of running matches after `after`, in the order of the ids of the matches: at most `limit` matches, and fewer
   * when they are large.
   *
   * @param formedSince milliseconds since the epoch: only matches that were formed from then on; 0 for all
   */
  async liveTickets(after: string, limit: number, formedSince: number): Promise<LivePage> {
    const reply = await orPreviousRelease(
      this.client.call<ListLiveTicketsRequest, ListLiveTicketsReply>(
        'listLiveTickets',
        { afterMatchId: after, limit, formedSince },
        recoveryDeadlineMs,
      ),
    );
    const { tickets, lastMatchId } = reply ?? { tickets: [], lastMatchId: '' };
    return { tickets: tickets.map(liveTicketOf), last: lastMatchId === '' ? null : lastMatchId };
  }

  /** The last match of each ticket. Tickets that were in none are missing. @returns null when nobody can answer now */
  async judgeTickets(tickets: readonly AskedTicket[]): Promise<readonly JudgedTicket[] | null> {
    const judged: JudgedTicket[] = [];
    for (let from = 0; from < tickets.length; from += judgedAtOnce) {
      const some = await this.judgeSome(tickets.slice(from, from + judgedAtOnce));
      if (some === null) return null;
      judged.push(...some);
    }
    return judged;
  }

  /** Resolves when the assignment service can be reached. */
  reachable(withinMs: number): Promise<void> {
    return this.client.reachable(withinMs);
  }

  close(): void {
    this.client.close();
  }

  private async rosterReply(matchId: string): Promise<GetRosterReply> {
    try {
      return await this.client.call<GetRosterRequest, GetRosterReply>('getRoster', { matchId }, deadlineMs);
    } catch (error) {
      if (!(error instanceof RpcUnavailable)) throw error;
      throw new MatchUnavailable('Who was in the match cannot be read right now. Try again in a moment.', {
        matchId,
      });
    }
  }

  private async judgeSome(tickets: readonly AskedTicket[]): Promise<readonly JudgedTicket[] | null> {
    const asked = tickets.map((ticket) => ({ ...ticket }));
    const reply = await orPreviousRelease(
      this.client.call<JudgeTicketsRequest, JudgeTicketsReply>(
        'judgeTickets',
        { tickets: asked },
        recoveryDeadlineMs,
      ),
    );
    const judged = reply?.tickets.map(({ state, closedAt, ...each }) => ({
      ...each,
      state: matchStateOf(state),
      closedAt: closedAt === 0 ? null : closedAt,
    }));
    return judged ?? null;
  }
}

/** @returns null from a replica of the previous release: what it does not tell is compared again later */
async function orPreviousRelease<T>(reply: Promise<T>): Promise<T | null> {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === unimplemented) return null;
    throw error;
  }
}

function liveTicketOf({ place, attributes, ...ticket }: LiveTicketMessage): LiveTicket {
  return {
    ...ticket,
    assignment: place ? { matchId: ticket.matchId, ...place } : null,
    attributes: attributes === '' ? null : Attributes.parse(JSON.parse(attributes)),
  };
}
