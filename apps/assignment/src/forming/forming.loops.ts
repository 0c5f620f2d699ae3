import { jobQueues } from '@muster/contracts';
import { Every, JobSender, SharedClock } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { ASSIGNMENT_SETTINGS, type AssignmentSettings } from '../settings.js';
import { PostgresMatchStore } from './match.store.js';

/** The job of a formed match that was not placed after this long is sent again. */
const placementOverdueMs = 5_000;
/** Interval of the search for expired verdicts, and the most deleted per statement. */
const deleteEveryMs = 60_000;
const deletedAtOnce = 500;

/** Recovers matches whose job was lost, and deletes old verdicts. */
@Injectable()
export class FormingLoops {
  constructor(
    @Inject(PostgresMatchStore) private readonly store: PostgresMatchStore,
    @Inject(JobSender) private readonly sender: JobSender,
    @Inject(SharedClock) private readonly clock: SharedClock,
    @Inject(ASSIGNMENT_SETTINGS) private readonly settings: AssignmentSettings,
  ) {}

  @Every('placement reminder', 5_000)
  async resendPlacements(): Promise<void> {
    const overdue = await this.store.formedBefore(this.clock.now() - placementOverdueMs, 100);
    await this.sender.send(
      jobQueues.placeMatch,
      overdue.map((payload) => ({ jobId: `again-${payload.matchId}`, payload })),
      'unless-dead',
    );
  }

  @Every('retention', deleteEveryMs)
  deleteVerdicts(): Promise<boolean> {
    const before = this.clock.now() - this.settings.RETENTION_DAYS * 86_400_000;
    return this.store.deleteVerdicts(before, deletedAtOnce);
  }
}
