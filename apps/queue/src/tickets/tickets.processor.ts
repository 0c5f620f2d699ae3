import { jobQueues, MatchUpdate } from '@muster/contracts';
import { OnJob } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { ApplyMatchUpdates } from './match-updates.js';

/** Applies the updates of a match to its tickets. */
@Injectable()
export class TicketsProcessor {
  constructor(@Inject(ApplyMatchUpdates) private readonly updates: ApplyMatchUpdates) {}

  @OnJob(jobQueues.matchUpdates, MatchUpdate, { concurrency: 8 })
  apply(update: MatchUpdate): Promise<void> {
    return this.updates.run(update);
  }
}
