import { construct, DB, READS } from '@muster/platform';
import { Module } from '@nestjs/common';
import { RatingClient } from '../ratings/rating.client.js';
import { RatingModule } from '../ratings/rating.module.js';
import { PostgresMatchHistory } from './match-history.store.js';
import { MatchStories } from './match-stories.js';
import { MatchesController } from './matches.controller.js';

/** Match history for players and operators. */
@Module({
  imports: [RatingModule],
  controllers: [MatchesController],
  providers: [
    construct(PostgresMatchHistory, [DB, READS]),
    construct(MatchStories, [PostgresMatchHistory, RatingClient]),
  ],
  exports: [PostgresMatchHistory],
})
export class HistoryModule {}
