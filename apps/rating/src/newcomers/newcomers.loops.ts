import { Every } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { FitPools } from './fit-pools.js';

/** How often it is checked whether a pool has grown enough to be fitted again, in milliseconds. */
const everyMs = 5_000;

/** Fits skill to the stats of pools. */
@Injectable()
export class NewcomersLoops {
  constructor(@Inject(FitPools) private readonly pools: FitPools) {}

  @Every('placement fits', everyMs, { mayTakeLong: true })
  run(): Promise<void> {
    return this.pools.run();
  }
}
