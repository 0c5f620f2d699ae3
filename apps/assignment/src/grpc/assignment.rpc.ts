import { rpc, type SettleProposalReply, type SettleProposalRequest } from '@muster/contracts';
import type { MatchStore } from '@muster/domain';
import { Controller, Inject } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';

export const MATCH_STORE = Symbol('match store');

@Controller()
export class AssignmentRpc {
  constructor(@Inject(MATCH_STORE) private readonly store: MatchStore) {}

  @GrpcMethod(rpc.assignment.service, 'SettleProposal')
  async settleProposal({ matchId }: SettleProposalRequest): Promise<SettleProposalReply> {
    const { verdict, reason, failedTicketIds } = await this.store.settle(
      matchId,
      'No teams were made in time.',
    );
    return { verdict, reason: reason ?? '', failedTicketIds: [...failedTicketIds] };
  }
}
