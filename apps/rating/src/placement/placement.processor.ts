import { jobQueues, PlaceNewcomer as PlaceJob } from '@muster/contracts';
import { LOG, OnJob, type Log } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { PlaceNewcomer } from './place-newcomer.js';

/** Places newcomers who have played enough matches. */
@Injectable()
export class PlacementProcessor {
  constructor(
    @Inject(PlaceNewcomer) private readonly newcomers: PlaceNewcomer,
    @Inject(LOG) private readonly log: Log,
  ) {}

  @OnJob(jobQueues.placeNewcomer, PlaceJob, { concurrency: 4 })
  async place({ pool, playerId }: PlaceJob): Promise<void> {
    const placed = await this.newcomers.place(pool, playerId);
    if (placed) this.log.info({ pool, playerId }, 'a newcomer was placed by stats');
  }
}
