import {
  rpc,
  unpackReason,
  type LeaveMatchReply,
  type LeaveMatchRequest,
  type ListBuildsReply,
  type ListBuildsRequest,
} from '@muster/contracts';
import { MatchUnavailable, type LeaveMatchResult } from '@muster/domain';
import { RpcClient, RpcUnavailable } from '@muster/platform';

const deadlineMs = 3_000;
/** Tickets wait for it, and are taken without it. */
const buildsDeadlineMs = 500;

/** Asks the allocator service. */
export class AllocatorClient {
  private readonly client: RpcClient;

  constructor(target: string) {
    this.client = new RpcClient(rpc.allocator, target);
  }

  /** @throws MatchUnavailable when the allocator does not answer: asking again is safe */
  async leave(matchId: string, ticketId: string): Promise<LeaveMatchResult> {
    const said = await this.ask({ matchId, ticketId });
    switch (said.outcome) {
      case 'left':
        return { outcome: 'left', ticketIds: said.ticketIds, reason: unpackReason(said) };
      case 'too-soon':
        return { outcome: 'too-soon', waitMs: said.waitMs < 0 ? null : said.waitMs };
      case 'has-server':
      case 'over':
      case 'unknown':
        return { outcome: said.outcome };
      default:
        throw new TypeError(`nobody leaves a match with the outcome ${said.outcome}`);
    }
  }

  /** The builds of the servers that are registered, each once. */
  async builds(limit: number): Promise<readonly string[]> {
    const said = await this.client.call<ListBuildsRequest, ListBuildsReply>(
      'listBuilds',
      { limit },
      buildsDeadlineMs,
    );
    return said.builds;
  }

  close(): void {
    this.client.close();
  }

  private async ask(request: LeaveMatchRequest): Promise<LeaveMatchReply> {
    try {
      return await this.client.call<LeaveMatchRequest, LeaveMatchReply>('leaveMatch', request, deadlineMs);
    } catch (error) {
      if (!(error instanceof RpcUnavailable)) throw error;
      throw new MatchUnavailable(
        'Whether your match has a server cannot be asked right now. Try again in a moment: repeating the same call is safe.',
        { matchId: request.matchId },
      );
    }
  }
}
