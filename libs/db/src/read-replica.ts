import type { Db } from './client.js';

/** Where reads that may be a little old are sent. */
export interface Reads {
  /** @param question is only to read, and may run twice */
  read<T>(question: (db: Db) => Promise<T>): Promise<T>;
}

/** All reads by the same connections. */
export const readsOf = (db: Db): Reads => ({ read: (question) => question(db) });

/** How old the data of a replica may be, and how that is found out. */
export interface ReplicaOptions {
  /** The maximum age of what is read, in milliseconds. */
  readonly maxLagMs: number;
  /** Elapsed time in milliseconds, of a clock that is never set. */
  elapsed(): number;
  /** Resolves after a time in milliseconds; it keeps no process alive. */
  after(ms: number): Promise<void>;
  /** Called when reads begin and cease to go to the primary. */
  notice(message: string): void;
}

/** A measurement is repeated after this time, at the next read. */
const MEASURE_EVERY_MS = 1_000;
/** Reads wait for a measurement of a replica in use for this time at most. */
const MEASURED_WITHIN_MS = 500;
/** Positions of the primary that are kept: older ones than a minute are of no use. */
const MAX_POSITIONS = 60;

interface Position {
  readonly at: number;
  readonly lsn: bigint;
}

/** The end of what a server has: of a standby, what it has applied. A position is a number of bytes. */
async function positionOf(db: Db): Promise<bigint> {
  const [row] = await db.$sql.$queryRaw<{ lsn: string | null }[]>`
    SELECT ((CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END) - '0/0')::text AS lsn`;
  const lsn = row?.lsn ?? null;
  if (lsn === null) throw new Error('the server reports no position');
  return BigInt(lsn);
}

/** Which database this is: the id of its first migration, which is drawn at random. */
async function identityOf(db: Db): Promise<string> {
  const [row] = await db.$sql.$queryRaw<{ id: string }[]>`
    SELECT id FROM _prisma_migrations ORDER BY started_at, id LIMIT 1`;
  if (!row) throw new Error('the database has no migrations');
  return row.id;
}

/**
 * Reads that may be a little old: from a replica while it follows the primary closely, from the primary otherwise.
 *
 * The age of a replica is measured by positions in the primary's log, not by clocks: it has all that the primary had
 * when the primary was at a position that the replica has passed. A replica that is cut off therefore ages, also while
 * nothing is written.
 */
export class ReadReplica implements Reads {
  private positions: Position[] = [];
  /** When the primary last had nothing that the replica lacks. */
  private freshAt = Number.NEGATIVE_INFINITY;
  private measuredAt = Number.NEGATIVE_INFINITY;
  private measuring: Promise<void> | undefined;
  private inUse = true;
  /** Whether the replica has the primary's database; undefined while that is unknown. */
  private isCopy: boolean | undefined;

  /** @param replica undefined: all reads go to the primary */
  constructor(
    private readonly primary: Db,
    private readonly replica: Db | undefined,
    private readonly options: ReplicaOptions,
  ) {}

  /** Runs a read. One that fails on the replica is repeated on the primary. */
  async read<T>(question: (db: Db) => Promise<T>): Promise<T> {
    const { replica } = this;
    if (!replica) return question(this.primary);
    if (!(await this.isFresh(replica))) return question(this.primary);
    try {
      return await question(replica);
    } catch {
      // Away, or a conflict with what it applies. An error of the question itself repeats on the primary.
      this.forget();
      return question(this.primary);
    }
  }

  private async isFresh(replica: Db): Promise<boolean> {
    const { elapsed, maxLagMs, notice } = this.options;
    if (elapsed() - this.measuredAt >= MEASURE_EVERY_MS) await this.measureInTime(replica);
    const fresh = elapsed() - this.freshAt <= maxLagMs;
    if (fresh !== this.inUse && this.measuredAt > Number.NEGATIVE_INFINITY) {
      this.inUse = fresh;
      notice(
        fresh ? 'the read replica is in use again' : `${this.problem()}: the primary answers in its place`,
      );
    }
    return fresh;
  }

  private problem(): string {
    return this.isCopy === false
      ? 'DATABASE_READ_URL leads to another database than DATABASE_URL'
      : `the read replica is away or lags by more than ${this.options.maxLagMs} ms`;
  }

  /** Measures, and waits for that only while the replica is in use. One that is silent counts as old. */
  private async measureInTime(replica: Db): Promise<void> {
    const measured = this.measure(replica);
    if (!this.inUse || this.freshAt === Number.NEGATIVE_INFINITY) return;
    const late = this.options.after(MEASURED_WITHIN_MS).then(() => 'late' as const);
    if ((await Promise.race([measured, late])) === 'late') this.forget();
  }

  /** Measures once for all reads that wait. */
  private measure(replica: Db): Promise<void> {
    this.measuring ??= this.compare(replica)
      .catch(() => this.forget())
      .finally(() => {
        this.measuredAt = this.options.elapsed();
        this.measuring = undefined;
      });
    return this.measuring;
  }

  private async compare(replica: Db): Promise<void> {
    this.isCopy ??= (await identityOf(this.primary)) === (await identityOf(replica));
    if (!this.isCopy) return;
    const at = this.options.elapsed();
    this.positions.push({ at, lsn: await positionOf(this.primary) });
    const passedBy = (lsn: bigint): Position | undefined =>
      this.positions.findLast((position) => position.lsn <= lsn);
    let reached = await positionOf(replica);
    // Under load, a replica that follows closely needs a moment for the last bytes.
    if (!passedBy(reached)) reached = await positionOf(replica);
    const passed = passedBy(reached);
    if (passed) this.freshAt = Math.max(this.freshAt, passed.at);
    this.positions = this.positions.filter(({ lsn }) => lsn > reached).slice(-MAX_POSITIONS);
  }

  /** The replica counts as old until it is measured. */
  private forget(): void {
    this.positions = [];
    this.freshAt = Number.NEGATIVE_INFINITY;
    // The address may lead elsewhere when it answers again.
    this.isCopy = undefined;
  }
}
