import { Every, LOG, SharedClock, type Log } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { SeasonArchive } from './archive.store.js';
import { PostgresSeasons } from './seasons.store.js';

/** Begins announced seasons, and archives the final standings of ended ones. */
@Injectable()
export class SeasonsLoops {
  constructor(
    @Inject(PostgresSeasons) private readonly seasons: PostgresSeasons,
    @Inject(SeasonArchive) private readonly archive: SeasonArchive,
    @Inject(SharedClock) private readonly clock: SharedClock,
    @Inject(LOG) private readonly log: Log,
  ) {}

  @Every('season starts', 1_000, { mayTakeLong: true })
  async begin(): Promise<void> {
    for (const { pool, number, name } of await this.seasons.beginDue(this.clock.now()))
      this.log.info({ pool, season: number, name }, 'an announced season began');
  }

  @Every('season archive', 1_000, { mayTakeLong: true })
  continue(): Promise<boolean> {
    return this.archive.continue(this.clock.now());
  }
}
