import { jobQueues } from '@muster/contracts';
import { Every, JobSender, SharedClock } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { ASSIGNMENT_SETTINGS, type AssignmentSettings } from '../settings.js';
import { PostgresMatchStore } from './match.store.js';

/** The job of a formed match that nobody began to place after this long is sent again. */
const placementOverdueMs = 5_000;
/** How often expired verdicts are looked for, and how many go in one statement. */
const forgetEveryMs = 60_000;
const forgottenAtOnce = 500;

/** Recovers matches whose job was lost, and removes old verdicts. */
@Injectable()
export class FormingLoops {
  constructor(
    @Inject(PostgresMatchStore) private readonly store: PostgresMatchStore,
    @Inject(JobSender) private readonly sender: JobSender,
    @Inject(SharedClock) private readonly clock: SharedClock,
    @Inject(ASSIGNMENT_SETTINGS) private readonly settings: AssignmentSettings,
  ) {}

  @Every('placement reminder', 5_000)
  async remind(): Promise<void> {
    const overdue = await this.store.formedBefore(this.clock.now() - placementOverdueMs, 100);
    await this.sender.send(
      jobQueues.placeMatch,
      overdue.map((matchId) => ({ jobId: `again-${matchId}`, payload: { matchId } })),
      'unless-dead',
    );
  }

  @Every('retention', forgetEveryMs)
  forget(): Promise<boolean> {
    const before = this.clock.now() - this.settings.RETENTION_DAYS * 86_400_000;
    return this.store.forgetVerdicts(before, forgottenAtOnce);
  }
}
