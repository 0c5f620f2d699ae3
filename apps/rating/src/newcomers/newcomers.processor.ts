import { jobQueues, PlaceNewcomer as SeedJob } from '@muster/contracts';
import { LOG, OnJob, type Log } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { SeedNewcomer } from './seed-newcomer.js';

/** Seeds newcomers who have played enough matches. */
@Injectable()
export class NewcomersProcessor {
  constructor(
    @Inject(SeedNewcomer) private readonly newcomers: SeedNewcomer,
    @Inject(LOG) private readonly log: Log,
  ) {}

  @OnJob(jobQueues.placeNewcomer, SeedJob, { concurrency: 4 })
  async seed({ pool, playerId }: SeedJob): Promise<void> {
    const isSeeded = await this.newcomers.seed(pool, playerId);
    if (isSeeded) this.log.info({ pool, playerId }, 'a newcomer was seeded by stats');
  }
}
