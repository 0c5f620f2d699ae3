import { Every } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { RatingSettings } from '../settings.js';
import { PostgresRatedMatches } from './rated-matches.store.js';
import { Recalibrate } from './recalibrate.js';

const totalsEveryMs = 5_000;
/** Matches of a pool that are added to its totals in one transaction. */
const totalsBatch = 20_000;

/** Searches for better calibrations of pools, and keeps the totals over their matches. */
@Injectable()
export class PoolsLoops {
  constructor(
    @Inject(Recalibrate) private readonly recalibrate: Recalibrate,
    @Inject(PostgresRatedMatches) private readonly rated: PostgresRatedMatches,
  ) {}

  @Every('totals', totalsEveryMs, { mayTakeLong: true })
  addToTotals(): Promise<boolean> {
    return this.rated.addToTotals(totalsBatch);
  }

  @Every<RatingSettings>('recalibration', ({ RECALIBRATE_MS }) => RECALIBRATE_MS)
  async run(): Promise<void> {
    await this.recalibrate.run();
  }
}
