import {
  packReason,
  rpc,
  type GetRatingsReply,
  type GetRatingsRequest,
  type SeedRatingReply,
  type SeedRatingRequest,
} from '@muster/contracts';
import {
  RatingUnavailable,
  UnknownPool,
  Unsolvable,
  type Clock,
  type PlayerRating,
  type RatingReader,
  type Explanation,
  type SkillBelief,
} from '@muster/domain';
import { RpcClient, RpcNotFound } from '@muster/platform';
import DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';
import type { Seeds } from './calibrate.js';

const deadlineMs = 800;
const seedDeadlineMs = 3_000;
/** gRPC's INVALID_ARGUMENT. */
const invalid = 3;
/** Maximum age of a cached rating while the rating service is down. */
const staleMs = 60_000;
const remembered = 100_000;
/** Time window in which requests are batched into one call. */
const gatherMs = 8;

interface Key {
  readonly pool: string;
  readonly playerId: string;
}

/**
 * Reads ratings from the rating service and sends seeds to it. Requests of the same few milliseconds share one call. While
 * the service is down, the last known rating serves for a minute; after that the read fails instead of returning a wrong
 * rating.
 */
export class RpcRatingReader implements RatingReader, Seeds {
  private readonly client: RpcClient;
  private readonly last = new LRUCache<string, { rating: PlayerRating; at: number }>({ max: remembered });
  private readonly loader: DataLoader<Key, PlayerRating, string>;

  constructor(
    target: string,
    private readonly clock: Clock,
  ) {
    this.client = new RpcClient(rpc.rating, target);
    this.loader = new DataLoader((keys) => this.load(keys), {
      cache: false,
      maxBatchSize: 500,
      batchScheduleFn: (run) => setTimeout(run, gatherMs),
    });
  }

  async ratingsOf(pool: string, playerIds: readonly string[]): Promise<PlayerRating[]> {
    return Promise.all(playerIds.map((playerId) => this.loader.load({ pool, playerId })));
  }

  async seed(
    pool: string,
    playerId: string,
    { mu, sigma }: SkillBelief,
    eventId: string,
    reason: Explanation,
  ): Promise<void> {
    try {
      await this.client.call<SeedRatingRequest, SeedRatingReply>(
        'seedRating',
        { pool, playerId, mu, sigma, eventId, ...packReason(reason) },
        seedDeadlineMs,
      );
    } catch (error) {
      const code = codeOf(error);
      if (error instanceof RpcNotFound) throw unknownPool(pool);
      if (code === invalid)
        throw new Unsolvable(`The pool "${pool}" cannot hold a rating of ${mu} ± ${sigma}.`, { pool });
      throw error;
    }
  }

  /** Resolves when the rating service can be reached. */
  reachable(withinMs: number): Promise<void> {
    return this.client.reachable(withinMs);
  }

  close(): void {
    this.client.close();
  }

  private async load(keys: readonly Key[]): Promise<(PlayerRating | Error)[]> {
    const pools = [...new Set(keys.map((key) => key.pool))];
    const found = new Map<string, PlayerRating | Error>();
    await Promise.all(
      pools.map(async (pool) => {
        const playerIds = [...new Set(keys.filter((key) => key.pool === pool).map((key) => key.playerId))];
        const ratings = await this.read(pool, playerIds);
        playerIds.forEach((playerId, i) =>
          found.set(
            `${pool} ${playerId}`,
            ratings[i] ?? new RatingUnavailable('The rating service left a player out.'),
          ),
        );
      }),
    );
    return keys.map(
      ({ pool, playerId }) =>
        found.get(`${pool} ${playerId}`) ?? new RatingUnavailable('The rating was not read.'),
    );
  }

  private async read(pool: string, playerIds: string[]): Promise<(PlayerRating | Error)[]> {
    const now = this.clock.now();
    try {
      const { ratings, startMu, startSigma } = await this.client.call<GetRatingsRequest, GetRatingsReply>(
        'getRatings',
        { pool, playerIds },
        deadlineMs,
      );
      const start = { mu: startMu, sigma: startSigma };
      const started = ratings.map((rating): PlayerRating => ({ ...rating, start }));
      for (const rating of started) this.last.set(`${pool} ${rating.playerId}`, { rating, at: now });
      return started;
    } catch (error) {
      if (error instanceof RpcNotFound) return playerIds.map(() => unknownPool(pool));
      return playerIds.map((playerId) => {
        const known = this.last.get(`${pool} ${playerId}`);
        if (known && now - known.at <= staleMs) return known.rating;
        return new RatingUnavailable(
          'Ratings cannot be read right now, and a ticket without one would be matched wrongly. Try again in a moment.',
        );
      });
    }
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function unknownPool(pool: string): UnknownPool {
  return new UnknownPool(`The queue’s rating pool "${pool}" does not exist.`, { pool });
}
