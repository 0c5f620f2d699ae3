import {
  rpc,
  type GetChangesReply,
  type GetChangesRequest,
  type GetRatingsReply,
  type GetRatingsRequest,
  type PredictReply,
  type PredictRequest,
} from '@muster/contracts';
import { RatingUnavailable, UnknownPool, type LedgerRow, type PlayerRating } from '@muster/domain';
import { RpcClient, RpcNotFound, RpcUnavailable } from '@muster/platform';
import type { PoolReader, TeamRequest } from './form-teams.js';
import type { ChangeReader } from '../history/match-stories.js';

const deadlineMs = 2_000;

/** Client of the rating service. Nothing is cached: a split needs current ratings. */
export class RatingClient implements PoolReader, ChangeReader {
  private readonly client: RpcClient;

  constructor(target: string) {
    this.client = new RpcClient(rpc.rating, target);
  }

  async read(pool: string, playerIds: readonly string[]): Promise<PlayerRating[]> {
    const { ratings } = await this.ask(() =>
      this.client.call<GetRatingsRequest, GetRatingsReply>(
        'getRatings',
        { pool, playerIds: [...playerIds] },
        deadlineMs,
      ),
    );
    return ratings;
  }

  async predict(pool: string, teams: readonly TeamRequest[]): Promise<number[]> {
    const { chances } = await this.ask(() =>
      this.client.call<PredictRequest, PredictReply>(
        'predict',
        {
          pool,
          teams: teams.map(({ playerIds, parties }) => ({
            playerIds: [...playerIds],
            parties: [...parties],
          })),
        },
        deadlineMs,
      ),
    );
    return chances;
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

  /** Resolves when the rating service can be reached. */
  reachable(withinMs: number): Promise<void> {
    return this.client.reachable(withinMs);
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
      if (error instanceof RpcNotFound) throw new UnknownPool(error.message);
      throw error;
    }
  }
}
