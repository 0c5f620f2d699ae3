import {
  packReason,
  rpc,
  type LeaveMatchReply,
  type LeaveMatchRequest,
  type ListBuildsReply,
  type ListBuildsRequest,
} from '@muster/contracts';
import { AFTER_COMMIT, RpcMethod } from '@muster/platform';
import { Controller, Inject } from '@nestjs/common';
import { Fleet } from '../fleet/fleet.js';
import { ALLOCATOR_SETTINGS, type AllocatorSettings } from '../settings.js';
import { Placing } from './placing.js';

@Controller()
export class AllocatorRpc {
  constructor(
    @Inject(Placing) private readonly placing: Placing,
    @Inject(Fleet) private readonly fleet: Fleet,
    @Inject(ALLOCATOR_SETTINGS) private readonly settings: AllocatorSettings,
    @Inject(AFTER_COMMIT) private readonly afterCommit: () => void,
  ) {}

  @RpcMethod(rpc.allocator, 'ListBuilds')
  async listBuilds({ limit }: ListBuildsRequest): Promise<ListBuildsReply> {
    const { hosting, SCALE_OUT_URL } = this.settings;
    const startsNone = hosting === undefined && SCALE_OUT_URL === undefined;
    return { builds: await this.fleet.builds(limit), startsNone };
  }

  @RpcMethod(rpc.allocator, 'LeaveMatch')
  async leaveMatch({ matchId, ticketId }: LeaveMatchRequest): Promise<LeaveMatchReply> {
    const result = await this.placing.leave(matchId, ticketId);
    if (result.outcome === 'left') this.afterCommit();
    const { outcome } = result;
    const left =
      outcome === 'left' ? { ticketIds: [...result.ticketIds], ...packReason(result.reason) } : noTickets;
    return { outcome, waitMs: outcome === 'too-soon' ? (result.waitMs ?? -1) : 0, ...left };
  }
}

const noTickets = { ticketIds: [], reason: '', messages: '' };
