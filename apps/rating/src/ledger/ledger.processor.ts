import { jobQueues, MatchJob } from '@muster/contracts';
import { AFTER_COMMIT, Every, LOG, Metrics, OnJob, SharedClock, type Log } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { PostgresMatches } from './matches.store.js';

/** The loop rates a match that ended and is still unrated after this time, in milliseconds. */
const overdueMs = 5_000;

/** Rates matches that ended: those named by a job, and those whose job was lost. */
@Injectable()
export class LedgerProcessor {
  constructor(
    @Inject(PostgresMatches) private readonly matches: PostgresMatches,
    @Inject(SharedClock) private readonly clock: SharedClock,
    @Inject(AFTER_COMMIT) private readonly afterCommit: () => void,
    @Inject(LOG) private readonly log: Log,
    @Inject(Metrics) private readonly metrics: Metrics,
  ) {}

  /** Concurrently: the store rates concurrent matches of a pool in one transaction. */
  @OnJob(jobQueues.rateMatch, MatchJob, { concurrency: 32 })
  async rate({ matchId }: MatchJob): Promise<void> {
    const result = await this.matches.rate(matchId, this.clock.now());
    const { outcome } = result;
    const pool = result.outcome === 'rated' ? result.pool.name : '';
    this.metrics.count('matchesRated', { pool, outcome });
    if (result.outcome === 'rated')
      this.metrics.count('ratingsChanged', { pool }, result.applied.players.length);
    if (outcome === 'not-ended') throw new Error(`match ${matchId} has not ended`);
    this.afterCommit();
    this.log.info({ matchId, outcome }, 'rate-match');
  }

  @Every('rating reminder', 5_000)
  async remind(): Promise<void> {
    const overdue = await this.matches.endedBefore(this.clock.now() - overdueMs, 100);
    await Promise.all(
      overdue.map((matchId) =>
        this.rate({ matchId }).catch((error: unknown) =>
          this.log.error({ matchId, err: error }, 'an ended match is overdue for rating'),
        ),
      ),
    );
  }
}
