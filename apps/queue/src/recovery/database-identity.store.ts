import { databaseIdentity, type Db } from '@muster/db';
import type { Clock } from '@muster/domain';

/** The identity is read again after this time, in milliseconds. */
const readEveryMs = 5_000;

/** The identity of the database. Nobody waits for it but the first caller: without the database, what was known holds. */
export class DatabaseIdentity {
  private known: string | null = null;
  private readAt = -Infinity;

  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** @returns null while it is not known */
  async read(): Promise<string | null> {
    const now = this.clock.now();
    if (now - this.readAt < readEveryMs) return this.known;
    const isFirst = this.readAt === -Infinity;
    this.readAt = now;
    const reading = databaseIdentity(this.db).then(
      (identity) => void (this.known = identity ?? this.known),
      this.onError,
    );
    if (isFirst) await reading;
    return this.known;
  }
}
