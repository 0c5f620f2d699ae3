import {
  Attributes,
  type JudgeTicketsReply,
  type JudgeTicketsRequest,
  type ListLiveTicketsReply,
  type ListLiveTicketsRequest,
  type LiveTicketMessage,
} from '@muster/contracts';
import {
  matchStateOf,
  type AskedTicket,
  type JudgedTicket,
  type LivePage,
  type LiveTicket,
} from '@muster/domain';
import type { RpcCaller } from '@muster/platform';
import type { TicketsOfMatches } from './restore-tickets.js';

const deadlineMs = 5_000;
/** The service answers for so many tickets at once. */
const judgedAtOnce = 1_000;
/** The gRPC status of a call that a service does not know. */
const unimplemented = 12;

/** Reads the tickets of matches from the assignment service. */
export class RpcLiveTickets implements TicketsOfMatches {
  constructor(private readonly client: Pick<RpcCaller, 'call'>) {}

  async page(after: string, limit: number, formedSince: number): Promise<LivePage> {
    const reply = await orPreviousRelease(
      this.client.call<ListLiveTicketsRequest, ListLiveTicketsReply>(
        'listLiveTickets',
        { afterMatchId: after, limit, formedSince },
        deadlineMs,
      ),
    );
    const { tickets, lastMatchId } = reply ?? { tickets: [], lastMatchId: '' };
    return { tickets: tickets.map(liveTicketOf), last: lastMatchId === '' ? null : lastMatchId };
  }

  async judge(tickets: readonly AskedTicket[]): Promise<readonly JudgedTicket[] | null> {
    const judged: JudgedTicket[] = [];
    for (let from = 0; from < tickets.length; from += judgedAtOnce) {
      const some = await this.judgeSome(tickets.slice(from, from + judgedAtOnce));
      if (some === null) return null;
      judged.push(...some);
    }
    return judged;
  }

  private async judgeSome(tickets: readonly AskedTicket[]): Promise<readonly JudgedTicket[] | null> {
    const asked = tickets.map((ticket) => ({ ...ticket }));
    const reply = await orPreviousRelease(
      this.client.call<JudgeTicketsRequest, JudgeTicketsReply>(
        'judgeTickets',
        { tickets: asked },
        deadlineMs,
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
