import type { LedgerStore, PlayerRating, RatingPool } from '@muster/domain';
import { modelNamed } from '@muster/skill';
import { poolModel } from './model.js';

export interface ShownRating extends PlayerRating {
  readonly pool: string;
  /** A cautious single number, as the pool's model has it. */
  readonly display: number;
}

/** Reads ratings; a stranger has the pool's start value. */
export class ReadRatings {
  constructor(private readonly ledger: LedgerStore) {}

  /** In the order asked. @throws UnknownPool */
  async of(
    poolName: string,
    playerIds: readonly string[],
  ): Promise<{ pool: RatingPool; ratings: PlayerRating[] }> {
    const { pool, ratings } = await this.ledger.ratings(poolName, playerIds);
    const known = new Map(ratings.map((rating) => [rating.playerId, rating]));
    const stranger = poolModel.initial(pool);
    return {
      pool,
      ratings: playerIds.map((playerId) => known.get(playerId) ?? { playerId, ...stranger, matches: 0 }),
    };
  }

  async show(poolName: string, playerId: string): Promise<ShownRating> {
    const { pool, ratings } = await this.of(poolName, [playerId]);
    return shown(pool, ratings[0] ?? { playerId, ...poolModel.initial(pool), matches: 0 });
  }

  async page(poolName: string, after: string, limit: number): Promise<ShownRating[]> {
    const pool = await this.ledger.pool(poolName);
    return (await this.ledger.page(pool, after, limit)).map((rating) => shown(pool, rating));
  }
}

function shown(pool: RatingPool, rating: PlayerRating): ShownRating {
  return { ...rating, pool: pool.name, display: modelNamed(pool.model).display(rating) };
}
