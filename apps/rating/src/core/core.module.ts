import { AFTER_COMMIT, construct, DB } from '@muster/platform';
import { Module } from '@nestjs/common';
import { PostgresRatings } from './ratings.store.js';

/** Pools and their current ratings, under every feature of the service. */
@Module({
  providers: [construct(PostgresRatings, [DB, AFTER_COMMIT])],
  exports: [PostgresRatings],
})
export class CoreModule {}
