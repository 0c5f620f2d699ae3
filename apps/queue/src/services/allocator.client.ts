import {
  unpackReason,
  type CountSlotsReply,
  type CountSlotsRequest,
  type LeaveMatchReply,
  type LeaveMatchRequest,
  type ListBuildsReply,
  type ListBuildsRequest,
} from '@muster/contracts';
import { MatchUnavailable, type LeaveMatchResult } from '@muster/domain';
import { RpcUnavailable, type RpcCaller } from '@muster/platform';

const deadlineMs = 3_000;
/** Tickets wait for this answer, and are accepted without it. */
const buildsDeadlineMs = 500;
const slotsDeadlineMs = 1_000;

/** The distinct builds of the registered servers. */
export interface RegisteredBuilds {
  readonly builds: readonly string[];
  /** No server is started for matches. */
  readonly startsNone: boolean;
}

/** Asks the allocator service. */
export class AllocatorClient {
  constructor(private readonly client: RpcCaller) {}

  /**
   * Asks to leave a match without a server, or with a silent one; the allocator decides.
   *
   * @throws MatchUnavailable when the allocator does not answer: a retry is safe
   */
  async leave(matchId: string, ticketId: string): Promise<LeaveMatchResult> {
    const reply = await this.ask({ matchId, ticketId });
    switch (reply.outcome) {
      case 'left':
        return { outcome: 'left', ticketIds: reply.ticketIds, reason: unpackReason(reply) };
      case 'too-soon':
        return { outcome: 'too-soon', waitMs: reply.waitMs < 0 ? null : reply.waitMs };
      case 'has-server':
      case 'over':
      case 'unknown':
        return { outcome: reply.outcome };
      default:
        throw new TypeError(`unknown outcome of leaving a match: ${reply.outcome}`);
    }
  }

  /** The distinct builds of the registered servers. */
  async builds(limit: number): Promise<RegisteredBuilds> {
    const reply = await this.client.call<ListBuildsRequest, ListBuildsReply>(
      'listBuilds',
      { limit },
      buildsDeadlineMs,
    );
    return { builds: reply.builds, startsNone: reply.startsNone === true };
  }

  /** The slots of all servers; null while the allocator has not counted them all. */
  async slots(): Promise<{ readonly used: number; readonly free: number } | null> {
    const { known, used, free } = await this.client.call<CountSlotsRequest, CountSlotsReply>(
      'countSlots',
      {},
      slotsDeadlineMs,
    );
    return known ? { used, free } : null;
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
