import { unpackReason, type SettleProposalReply, type SettleProposalRequest } from '@muster/contracts';
import type { ProposalVerdict } from '@muster/domain';
import type { RpcCaller } from '@muster/platform';
import type { Verdicts } from './settle-proposals.js';

const deadlineMs = 3_000;

/** Reads verdicts on proposals from the assignment service. */
export class RpcVerdicts implements Verdicts {
  constructor(private readonly client: RpcCaller) {}

  async settle(matchId: string): Promise<ProposalVerdict> {
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
}
