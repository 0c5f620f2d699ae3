import { construct, DB, IDS, READS, SharedClock } from '@muster/platform';
import { Module } from '@nestjs/common';
import { CoreModule } from '../core/core.module.js';
import { PostgresRatings } from '../core/ratings.store.js';
import { NamesModule } from '../names/names.module.js';
import { NewcomersModule } from '../newcomers/newcomers.module.js';
import { SeedNewcomer } from '../newcomers/seed-newcomer.js';
import { PostgresRatingHistory } from './history.store.js';
import { RatingOverrides } from './rating-overrides.js';
import { RatingsController } from './ratings.controller.js';
import { RatingsRpc } from './ratings.rpc.js';
import { ReadRatings } from './read-ratings.js';

/** Reads and sets the ratings of players. */
@Module({
  imports: [CoreModule, NamesModule, NewcomersModule],
  controllers: [RatingsController, RatingsRpc],
  providers: [
    construct(PostgresRatingHistory, [DB, READS]),
    construct(ReadRatings, [PostgresRatings, PostgresRatingHistory, SharedClock]),
    construct(RatingOverrides, [PostgresRatings, SharedClock, IDS, SeedNewcomer]),
  ],
  exports: [ReadRatings, RatingOverrides],
})
export class RatingsModule {}
