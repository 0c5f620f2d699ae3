import {
  packReason,
  rpc,
  type GetRosterReply,
  type GetRosterRequest,
  type JudgeTicketsReply,
  type JudgeTicketsRequest,
  type ListLiveTicketsReply,
  type ListLiveTicketsRequest,
  type SettleProposalReply,
  type SettleProposalRequest,
} from '@muster/contracts';
import { RpcMethod } from '@muster/platform';
import { Controller, Inject } from '@nestjs/common';
import { PostgresMatchHistory } from '../history/match-history.store.js';
import { FormTeams } from './form-teams.js';
import { PostgresLiveTickets } from './live-tickets.store.js';

/** The most matches or tickets of one answer. */
const mostAtOnce = 1_000;

@Controller()
export class AssignmentRpc {
  constructor(
    @Inject(FormTeams) private readonly formTeams: FormTeams,
    @Inject(PostgresMatchHistory) private readonly history: PostgresMatchHistory,
    @Inject(PostgresLiveTickets) private readonly live: PostgresLiveTickets,
  ) {}

  @RpcMethod(rpc.assignment, 'SettleProposal')
  async settleProposal({ matchId }: SettleProposalRequest): Promise<SettleProposalReply> {
    const { verdict, reason, failedTicketIds } = await this.formTeams.settle(matchId);
    return { verdict, ...packReason(reason ?? ''), failedTicketIds: [...failedTicketIds] };
  }
  @RpcMethod(rpc.assignment, 'GetRoster')
  async getRoster({ matchId }: GetRosterRequest): Promise<GetRosterReply> {
    const story = await this.history.find(matchId);
    if (!story) return { found: false, state: '', placed: false, players: [] };
    const players = story.players.map(({ playerId, team, ticketId }) => ({
      playerId,
      team,
      ticketId: ticketId ?? '',
    }));
    // A match played elsewhere arrives with its result.
    const placed = story.placedAt !== null || story.origin === 'reported';
    return { found: true, state: story.state, placed, players };
  }

  @RpcMethod(rpc.assignment, 'ListLiveTickets')
  async listLiveTickets({
    afterMatchId,
    limit,
    formedSince,
  }: ListLiveTicketsRequest): Promise<ListLiveTicketsReply> {
    const page = await this.live.page(afterMatchId, Math.min(Math.max(1, limit), mostAtOnce), formedSince);
    return {
      tickets: page.tickets.map(({ players, assignment, attributes, ...ticket }) => ({
        ...ticket,
        players: players.map((player) => ({ ...player })),
        place: assignment,
        attributes: attributes ? JSON.stringify(attributes) : '',
      })),
      lastMatchId: page.last ?? '',
    };
  }

  @RpcMethod(rpc.assignment, 'JudgeTickets')
  async judgeTickets({ tickets }: JudgeTicketsRequest): Promise<JudgeTicketsReply> {
    const judged = await this.live.judge(tickets.slice(0, mostAtOnce));
    return { tickets: judged.map((ticket) => ({ ...ticket, closedAt: ticket.closedAt ?? 0 })) };
  }
}
