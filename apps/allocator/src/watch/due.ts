import type { Clock } from '@muster/domain';

/** When the earliest row of each kind is due or was last changed, in milliseconds since the epoch; null without a row. */
export interface DueTimes {
  /** By when the first of the servers that were asked for a session has to answer. */
  readonly answerBy: number | null;
  /** When the server that has been silent the longest was heard. */
  readonly heardAt: number | null;
  /** Since when the oldest live session has been live. */
  readonly liveAt: number | null;
  readonly giveUpAt: number | null;
  readonly nextAttemptAt: number | null;
  /** When the oldest unanswered command to let players in was sent. */
  readonly seatsSentAt: number | null;
  readonly backfillExpiresAt: number | null;
  /** Whether a backfill request is open whose session is not live. */
  readonly backfillOrphaned: boolean;
}

/** Work of another process is seen after this time at the latest. */
const readEveryMs = 1_000;

/** Whether a time has come. */
export const isDue = (at: number | null, now: number): boolean => at !== null && at <= now;

/**
 * The times at which sweeps have work. All sweeps of a process share one statement a second, and run their own statements
 * only when something is due.
 */
export class DueWork {
  private times: DueTimes | null = null;
  private readAt = 0;
  private reading: Promise<DueTimes> | null = null;
  /** Ascends when times are forgotten: a statement that began before does not see what changed. */
  private generation = 0;

  /** @param readTimes reads all times in one statement */
  constructor(
    private readonly readTimes: () => Promise<DueTimes>,
    private readonly clock: Clock,
  ) {}

  /** @returns the times, read at most a second ago */
  async look(): Promise<DueTimes> {
    const agoMs = this.clock.now() - this.readAt;
    if (this.times && agoMs >= 0 && agoMs < readEveryMs) return this.times;
    return (this.reading ??= this.read());
  }

  /** Something changed: the next look reads. */
  forget(): void {
    this.generation += 1;
    [this.times, this.reading] = [null, null];
  }

  private async read(): Promise<DueTimes> {
    const { generation } = this;
    const readAt = this.clock.now();
    try {
      const times = await this.readTimes();
      if (generation === this.generation) [this.times, this.readAt] = [times, readAt];
      return times;
    } finally {
      if (generation === this.generation) this.reading = null;
    }
  }
}
