import { FillSeatJob, FormTeamsJob, jobQueues, type MatchSteps } from '@muster/contracts';
import { AFTER_COMMIT, LOG, MATCH_STEPS, Metrics, OnGiveUp, OnJob, type Log } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { FillSeat } from './fill-seat.js';
import { FormTeams } from './form-teams.js';

/** A proposal is settled within its lease, before the reconciler returns its tickets and they are matched again. */
const proposalAttempts = { failed: 7 };

const ticketIdsOf = ({ tickets }: FormTeamsJob): string[] => tickets.map(({ ticketId }) => ticketId);

/** Handles proposals of the queue. */
@Injectable()
export class FormingProcessor {
  constructor(
    @Inject(FormTeams) private readonly formTeams: FormTeams,
    @Inject(FillSeat) private readonly fillSeat: FillSeat,
    @Inject(AFTER_COMMIT) private readonly afterCommit: () => void,
    @Inject(LOG) private readonly log: Log,
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(MATCH_STEPS) private readonly steps: MatchSteps | null,
  ) {}

  /** Concurrency: as many as the store writes in one transaction. */
  @OnJob(jobQueues.formTeams, FormTeamsJob, { concurrency: 8, attempts: proposalAttempts })
  async form(job: FormTeamsJob): Promise<void> {
    const outcome = await this.formTeams.run(job);
    this.afterCommit();
    this.metrics.count('formings', { queue: job.queue, outcome });
    this.log.info({ matchId: job.matchId, ticketIds: ticketIdsOf(job), outcome }, 'form-teams');
  }

  @OnGiveUp(jobQueues.formTeams)
  async giveUpForming(job: FormTeamsJob, error: unknown): Promise<void> {
    await this.formTeams.giveUp(job);
    this.afterCommit();
    this.log.error(
      { err: error, matchId: job.matchId, ticketIds: ticketIdsOf(job) },
      'form-teams became a dead letter; its tickets failed',
    );
  }

  @OnJob(jobQueues.fillSeat, FillSeatJob, { concurrency: 4, attempts: proposalAttempts })
  async fill(job: FillSeatJob): Promise<void> {
    this.steps?.linkTo(job.matchId);
    const outcome = await this.fillSeat.run(job);
    this.afterCommit();
    const { backfillId, matchId, ticketId } = job;
    this.log.info({ backfillId, matchId, ticketId, outcome }, 'fill-seat');
  }

  @OnGiveUp(jobQueues.fillSeat)
  async giveUpFilling(job: FillSeatJob, error: unknown): Promise<void> {
    await this.fillSeat.giveUp(job);
    this.afterCommit();
    const { backfillId, matchId, ticketId } = job;
    this.log.error(
      { err: error, backfillId, matchId, ticketId },
      'fill-seat became a dead letter; its ticket failed',
    );
  }
}
