import { jobQueues, MatchRated } from '@muster/contracts';
import { Background, Every, OnJob } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { Calibrate } from './calibrate.js';

/** Interval at which unanswered seeds of concluded searches are requested again, in milliseconds. */
const seedAgainMs = 3_000;

/** Counts rated matches of newcomers, and requests seeds for concluded searches. */
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
