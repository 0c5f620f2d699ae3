import { Every } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { RatingSettings } from '../settings.js';
import { Recalibrate } from './recalibrate.js';

/** Searches for better calibrations of pools. */
@Injectable()
export class PoolsLoops {
  constructor(@Inject(Recalibrate) private readonly recalibrate: Recalibrate) {}

  @Every<RatingSettings>('recalibration', ({ RECALIBRATE_MS }) => RECALIBRATE_MS)
  async run(): Promise<void> {
    await this.recalibrate.run();
  }
}
