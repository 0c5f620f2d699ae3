import {
  packReason,
  rpc,
  type GetRosterReply,
  type GetRosterRequest,
  type SettleProposalReply,
  type SettleProposalRequest,
} from '@muster/contracts';
import { Controller, Inject } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import { MatchStories } from '../history/match-stories.js';
import { FormTeams } from './form-teams.js';

@Controller()
export class AssignmentRpc {
  constructor(
    @Inject(FormTeams) private readonly formTeams: FormTeams,
    @Inject(MatchStories) private readonly stories: MatchStories,
  ) {}

  @GrpcMethod(rpc.assignment.service, 'SettleProposal')
  async settleProposal({ matchId }: SettleProposalRequest): Promise<SettleProposalReply> {
    const { verdict, reason, failedTicketIds } = await this.formTeams.settle(matchId);
    return { verdict, ...packReason(reason ?? ''), failedTicketIds: [...failedTicketIds] };
  }
  @GrpcMethod(rpc.assignment.service, 'GetRoster')
  async getRoster({ matchId }: GetRosterRequest): Promise<GetRosterReply> {
    const story = await this.stories.find(matchId);
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
}
