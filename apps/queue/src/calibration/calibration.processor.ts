import { jobQueues, MatchRated } from '@muster/contracts';
import { Background, Every, OnJob } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { Calibrate } from './calibrate.js';

/** How often concluded calibrations are looked for that rating was not asked to seed, or did not answer for, in milliseconds. */
const seedAgainMs = 3_000;

/** Counts rated matches of newcomers, and asks rating to seed those whose search is over. */
@Injectable()
export class CalibrationProcessor {
  constructor(
    @Inject(Calibrate) private readonly calibrate: Calibrate,
    @Inject(Background) private readonly background: Background,
  ) {}

  @OnJob(jobQueues.matchRated, MatchRated, { concurrency: 4 })
  async count(match: MatchRated): Promise<void> {
    if (await this.calibrate.count(match)) this.background.kick('calibration seeds');
  }

  @Every('calibration seeds', seedAgainMs)
  seed(): Promise<boolean> {
    return this.calibrate.settle();
  }
}
