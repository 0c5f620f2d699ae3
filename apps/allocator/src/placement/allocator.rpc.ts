import {
  packReason,
  rpc,
  type LeaveMatchReply,
  type LeaveMatchRequest,
  type ListBuildsReply,
  type ListBuildsRequest,
} from '@muster/contracts';
import { Controller, Inject } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import { Fleet } from '../fleet/fleet.js';
import { LeaveMatch } from './leave-match.js';

@Controller()
export class AllocatorRpc {
  constructor(
    @Inject(LeaveMatch) private readonly leaving: LeaveMatch,
    @Inject(Fleet) private readonly fleet: Fleet,
  ) {}

  @GrpcMethod(rpc.allocator.service, 'ListBuilds')
  async listBuilds({ limit }: ListBuildsRequest): Promise<ListBuildsReply> {
    return { builds: await this.fleet.builds(limit) };
  }

  @GrpcMethod(rpc.allocator.service, 'LeaveMatch')
  async leaveMatch({ matchId, ticketId }: LeaveMatchRequest): Promise<LeaveMatchReply> {
    const result = await this.leaving.run(matchId, ticketId);
    const { outcome } = result;
    const left =
      outcome === 'left' ? { ticketIds: [...result.ticketIds], ...packReason(result.reason) } : noTickets;
    return { outcome, waitMs: outcome === 'too-soon' ? (result.waitMs ?? -1) : 0, ...left };
  }
}

const noTickets = { ticketIds: [], reason: '', messages: '' };
