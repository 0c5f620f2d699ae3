import { jobQueues, SeatFilled } from '@muster/contracts';
import { Every, OnJob } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { Backfills } from './backfills.js';

/** Seats the players found for backfill requests, and ends overdue requests. */
@Injectable()
export class BackfillProcessor {
  constructor(@Inject(Backfills) private readonly backfills: Backfills) {}

  @OnJob(jobQueues.seatFilled, SeatFilled, { concurrency: 4 })
  seatFilled(filled: SeatFilled): Promise<void> {
    return this.backfills.seatFilled(filled);
  }

  @Every('backfills', 500, { whileSound: true })
  sweep(): Promise<boolean | void> {
    return this.backfills.sweep();
  }
}
