import { Every, LOG, type Log } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { FitPools } from './fit-pools.js';

/** How often it is checked whether a pool has grown enough to be fitted again, in milliseconds. */
const everyMs = 5_000;

/** Fits skill to the stats of pools. */
@Injectable()
export class NewcomersLoops {
  constructor(
    @Inject(FitPools) private readonly pools: FitPools,
    @Inject(LOG) private readonly log: Log,
  ) {}

  @Every('placement fits', everyMs, { mayTakeLong: true })
  async run(): Promise<void> {
    for await (const { pool, fit } of this.pools.run())
      this.log.info(
        { pool, statsMatches: fit.statsMatches, refusal: fit.refusal },
        'skill was fitted to stats',
      );
  }
}
