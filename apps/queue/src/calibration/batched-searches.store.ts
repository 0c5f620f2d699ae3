import type { Db } from '@muster/db';
import { PostgresCalibrationStore } from './calibration.store.js';
import { readSearch, type Search } from '@muster/skill';
import DataLoader from 'dataloader';

interface Key {
  readonly pool: string;
  readonly playerId: string;
}

/**
 * Searches in Postgres. Searches requested in one turn of the event loop are read in one statement per pool: ratings of
 * many tickets come in one reply (see `RpcRatingReader`), so their searches are requested together.
 */
export class BatchedSearches extends PostgresCalibrationStore<Search> {
  private readonly loader: DataLoader<Key, Search | null>;

  constructor(db: Db) {
    super(db, readSearch);
    this.loader = new DataLoader((keys) => this.load(keys), { cache: false, maxBatchSize: 500 });
  }

  override async open(pool: string, playerIds: readonly string[]): Promise<ReadonlyMap<string, Search>> {
    const found = await Promise.all(playerIds.map((playerId) => this.loader.load({ pool, playerId })));
    return new Map(
      playerIds.flatMap((playerId, i) => {
        const search = found[i];
        return search ? [[playerId, search] as const] : [];
      }),
    );
  }

  private async load(keys: readonly Key[]): Promise<(Search | null)[]> {
    const pools = [...new Set(keys.map((key) => key.pool))];
    const open = new Map(
      await Promise.all(
        pools.map(async (pool) => {
          const requestedIds = keys.filter((key) => key.pool === pool).map((key) => key.playerId);
          return [pool, await super.open(pool, [...new Set(requestedIds)])] as const;
        }),
      ),
    );
    return keys.map(({ pool, playerId }) => open.get(pool)?.get(playerId) ?? null);
  }
}
