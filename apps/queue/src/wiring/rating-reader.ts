import { rpc, type GetRatingsReply, type GetRatingsRequest } from '@muster/contracts';
import {
  RatingUnavailable,
  UnknownPool,
  type Clock,
  type PlayerRating,
  type RatingReader,
} from '@muster/domain';
import { RpcClient } from '@muster/platform';
import DataLoader from 'dataloader';

const deadlineMs = 800;
/** How long a rating may be used after it was read, when the rating service is away. */
const staleMs = 60_000;
const remembered = 100_000;
/** Players are gathered for so long into one call. */
const gatherMs = 8;

interface Key {
  readonly pool: string;
  readonly playerId: string;
}

/**
 * Reads ratings from the rating service. Calls of the same few milliseconds become one. While the service is away the last
 * known rating serves for a minute; after that there is an error, never a wrong rating.
 */
export class RpcRatingReader implements RatingReader {
  private readonly client: RpcClient;
  private readonly last = new Map<string, { rating: PlayerRating; at: number }>();
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
      const { ratings } = await this.client.call<GetRatingsRequest, GetRatingsReply>(
        'getRatings',
        { pool, playerIds },
        deadlineMs,
      );
      if (this.last.size > remembered) this.last.clear();
      for (const rating of ratings) this.last.set(`${pool} ${rating.playerId}`, { rating, at: now });
      return ratings;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 5) {
        return playerIds.map(
          () => new UnknownPool(`The queue’s rating pool "${pool}" does not exist.`, { pool }),
        );
      }
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
