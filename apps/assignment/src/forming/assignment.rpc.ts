import {
  rpc,
  type GetRosterReply,
  type GetRosterRequest,
  type SettleProposalReply,
  type SettleProposalRequest,
} from '@muster/contracts';
import type { MatchHistory, MatchStore } from '@muster/domain';
import { Controller, Inject } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';

export const MATCH_STORE = Symbol('match store');
export const MATCH_HISTORY = Symbol('match history');

@Controller()
export class AssignmentRpc {
  constructor(
    @Inject(MATCH_STORE) private readonly store: MatchStore,
    @Inject(MATCH_HISTORY) private readonly history: Pick<MatchHistory, 'find'>,
  ) {}

  @GrpcMethod(rpc.assignment.service, 'SettleProposal')
  async settleProposal({ matchId }: SettleProposalRequest): Promise<SettleProposalReply> {
    const { verdict, reason, failedTicketIds } = await this.store.settle(
      matchId,
      'No teams were made in time.',
    );
    return { verdict, reason: reason ?? '', failedTicketIds: [...failedTicketIds] };
  }
  @GrpcMethod(rpc.assignment.service, 'GetRoster')
  async getRoster({ matchId }: GetRosterRequest): Promise<GetRosterReply> {
    const story = await this.history.find(matchId);
    if (!story) return { found: false, state: '', placed: false, players: [] };
    const players = story.players.map(({ playerId, team, ticketId }) => ({
      playerId,
      team,
      ticketId: ticketId ?? '',
    }));
    // A match that was played elsewhere comes with its result.
    const placed = story.placedAt !== null || story.origin === 'reported';
    return { found: true, state: story.state, placed, players };
  }
}
