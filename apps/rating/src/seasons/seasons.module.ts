import { AFTER_COMMIT, construct, DB, SharedClock } from '@muster/platform';
import { Module } from '@nestjs/common';
import { CoreModule } from '../core/core.module.js';
import { PostgresRatings } from '../core/ratings.store.js';
import { NamesModule } from '../names/names.module.js';
import { SeasonArchive } from './archive.store.js';
import { SeasonPreviews } from './season-preview.js';
import { SeasonsController } from './seasons.controller.js';
import { SeasonsLoops } from './seasons.loops.js';
import { PostgresSeasons } from './seasons.store.js';
import { Seasons } from './seasons.js';

/** Seasons of pools: their start, what it does to ratings, and final standings. */
@Module({
  imports: [CoreModule, NamesModule],
  controllers: [SeasonsController],
  providers: [
    SeasonsLoops,
    construct(PostgresSeasons, [DB, AFTER_COMMIT]),
    construct(SeasonArchive, [DB]),
    construct(Seasons, [PostgresSeasons, PostgresRatings, SharedClock]),
    construct(SeasonPreviews, [PostgresRatings, PostgresSeasons, SharedClock]),
  ],
})
export class SeasonsModule {}
