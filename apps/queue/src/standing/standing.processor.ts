import { Conduct, jobQueues, LiftedPenalties } from '@muster/contracts';
import { OnJob } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { chargesOf, Penalties } from './penalties.js';

/** Penalises offences that a server reported. */
@Injectable()
export class StandingProcessor {
  constructor(@Inject(Penalties) private readonly penalties: Penalties) {}

  @OnJob(jobQueues.conduct, Conduct, { concurrency: 4 })
  charge(conduct: Conduct): Promise<void> {
    return this.penalties.charge(chargesOf(conduct));
  }

  @OnJob(jobQueues.liftedPenalties, LiftedPenalties, { concurrency: 4 })
  lift(lifted: LiftedPenalties): Promise<void> {
    return this.penalties.lift(lifted);
  }
}
