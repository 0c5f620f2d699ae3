import {
  rpc,
  type GetChangesReply,
  type GetChangesRequest,
  type GetRatingsReply,
  type GetRatingsRequest,
} from '@muster/contracts';
import { RatingUnavailable, type LedgerRow } from '@muster/domain';
import { RpcClient, RpcUnavailable } from '@muster/platform';
import type { PoolRatings, PoolReader } from '../use-cases/form-teams.js';
import type { ChangeReader } from '../use-cases/match-stories.js';

const deadlineMs = 2_000;

/** The rating service, as assignment sees it. Nothing is remembered: a split takes fresh ratings or waits for them. */
export class RatingClient implements PoolReader, ChangeReader {
  private readonly client: RpcClient;

  constructor(target: string) {
    this.client = new RpcClient(rpc.rating, target);
  }

  async read(pool: string, playerIds: readonly string[]): Promise<PoolRatings> {
    return this.ask(() =>
      this.client.call<GetRatingsRequest, GetRatingsReply>(
        'getRatings',
        { pool, playerIds: [...playerIds] },
        deadlineMs,
      ),
    );
  }

  async changes(matchIds: readonly string[]): Promise<LedgerRow[]> {
    const { changes } = await this.ask(() =>
      this.client.call<GetChangesRequest, GetChangesReply>(
        'getChanges',
        { matchIds: [...matchIds] },
        deadlineMs,
      ),
    );
    return changes.map(({ matchId, playerId, muBefore, sigmaBefore, muAfter, sigmaAfter }) => ({
      matchId,
      playerId,
      before: { mu: muBefore, sigma: sigmaBefore },
      after: { mu: muAfter, sigma: sigmaAfter },
    }));
  }

  close(): void {
    this.client.close();
  }

  private async ask<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (error instanceof RpcUnavailable)
        throw new RatingUnavailable('The rating service did not answer in time.');
      throw error;
    }
  }
}
