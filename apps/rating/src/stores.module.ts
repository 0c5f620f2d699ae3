import { AFTER_COMMIT, construct, DB, READS, Starting } from '@muster/platform';
import { Module } from '@nestjs/common';
import { PostgresLedgerStore } from './ledger/ledger.store.js';
import { Pools } from './pools/pools.js';
import { RATING_SETTINGS, seedsOf, type RatingSettings } from './settings.js';

/** The ledger and its pools, shared by the features of the rating service. */
@Module({
  providers: [
    construct(PostgresLedgerStore, [DB, READS, AFTER_COMMIT]),
    {
      provide: Pools,
      inject: [PostgresLedgerStore, RATING_SETTINGS, Starting],
      useFactory: async (
        ledger: PostgresLedgerStore,
        settings: RatingSettings,
        starting: Starting,
      ): Promise<Pools> => {
        const pools = new Pools(ledger);
        const seeds = seedsOf(settings);
        await starting.until('PostgreSQL', async () => {
          for (const seed of seeds) await pools.create(seed);
        });
        return pools;
      },
    },
  ],
  exports: [PostgresLedgerStore, Pools],
})
export class StoresModule {}
