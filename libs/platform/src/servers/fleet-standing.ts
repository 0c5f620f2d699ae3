import type { KnownFleetKey, PostgresEnrolment } from '@muster/db';

/** What is known is read again in the background when it is older than this, and before the next decision when it is older than that. */
const freshMs = 300;
const staleMs = 700;
/** How long a decision waits for a database that does not answer, and the pause before it is asked again. */
const patienceMs = 500;
const pauseMs = 1_000;
/** How long decisions rest on what is known while the database is away: servers need their tokens then. */
const longestMs = 600_000;
/** Rows that were committed late are read again; longer than a commit takes. */
const overlapMs = 30_000;
/** Longer than any token of a removed server is used. */
const rememberedMs = 30 * 86_400_000;

/**
 * Which fleet keys are valid and which servers were removed, as each process knows it: within a second of the change. It reads only
 * while servers call.
 */
export class FleetStanding {
  private keys: ReadonlyMap<string, KnownFleetKey> = new Map();
  private readonly revoked = new Map<string, number>();
  private readAt = Number.NEGATIVE_INFINITY;
  private failedAt = Number.NEGATIVE_INFINITY;
  private failure: unknown = null;
  private reading: Promise<void> | null = null;

  /**
   * @param elapsed milliseconds of a monotonic clock
   * @param onError gets errors of the store
   * @param within the outcome of work that has so many milliseconds
   */
  constructor(
    private readonly store: Pick<PostgresEnrolment, 'keys' | 'revokedLately'>,
    private readonly elapsed: () => number,
    private readonly onError: (error: unknown) => void,
    private readonly within: (limitMs: number, work: Promise<void>) => Promise<void>,
  ) {}

  /**
   * Makes sure that what is known is recent enough to decide by.
   *
   * @returns null if it is already
   * @throws the error of the store when it has been away for long
   */
  recent(): Promise<void> | null {
    const age = this.elapsed() - this.readAt;
    if (age <= freshMs) return null;
    this.begin();
    if (age <= staleMs) return null;
    return this.wait(this.reading);
  }

  /** Reads once more, for a key that is genuine and not known here: it may have been made a moment ago. */
  async again(): Promise<void> {
    // One that has begun may be older than the key.
    if (this.reading) await this.wait(this.reading);
    this.begin();
    await this.wait(this.reading);
  }

  /** A key that exists, valid or not. */
  keyOf(keyId: string): KnownFleetKey | undefined {
    return this.keys.get(keyId);
  }

  /** Whether an operator removed the server of this incarnation. */
  isRevoked(serverId: string, incarnation: number): boolean {
    return incarnation <= (this.revoked.get(serverId) ?? 0);
  }

  private begin(): void {
    const mayRead = this.elapsed() - this.failedAt > pauseMs;
    if (mayRead) this.reading ??= this.read().finally(() => (this.reading = null));
  }

  private async wait(reading: Promise<void> | null): Promise<void> {
    if (reading) await this.within(patienceMs, reading).catch(() => undefined);
    if (this.elapsed() - this.readAt > longestMs)
      throw this.failure ?? new Error('the fleet keys could not be read in time');
  }

  private async read(): Promise<void> {
    const startedAt = this.elapsed();
    const isFirst = this.readAt === Number.NEGATIVE_INFINITY;
    const sinceMs = isFirst ? rememberedMs : startedAt - this.readAt + overlapMs;
    try {
      const [keys, revoked] = await Promise.all([this.store.keys(), this.store.revokedLately(sinceMs)]);
      this.keys = new Map(keys.map((key) => [key.id, key]));
      for (const { serverId, incarnation } of revoked) this.revoked.set(serverId, incarnation);
      this.readAt = startedAt;
      this.failure = null;
    } catch (error) {
      this.failedAt = this.elapsed();
      this.failure = error;
      this.onError(error);
    }
  }
}
