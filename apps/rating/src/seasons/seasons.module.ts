import { AFTER_COMMIT, construct, DB, SharedClock } from '@muster/platform';
import { Module } from '@nestjs/common';
import { PostgresLedgerStore } from '../ledger/ledger.store.js';
import { NamesModule } from '../leaderboards/names.module.js';
import { StoresModule } from '../stores.module.js';
import { SeasonArchive } from './archive.store.js';
import { SeasonPreviews } from './season-preview.js';
import { SeasonsController } from './seasons.controller.js';
import { SeasonsLoops } from './seasons.loops.js';
import { PostgresSeasonStore } from './seasons.store.js';
import { Seasons } from './seasons.js';

/** Seasons of pools: their start, what it does to ratings, and final standings. */
@Module({
  imports: [StoresModule, NamesModule],
  controllers: [SeasonsController],
  providers: [
    SeasonsLoops,
    construct(PostgresSeasonStore, [DB, AFTER_COMMIT]),
    construct(SeasonArchive, [DB]),
    construct(Seasons, [PostgresSeasonStore, PostgresLedgerStore, SharedClock]),
    construct(SeasonPreviews, [PostgresLedgerStore, PostgresSeasonStore, SharedClock]),
  ],
})
export class SeasonsModule {}
