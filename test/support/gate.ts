import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from './prisma.js';

/** The writes to block. */
export interface Held {
  readonly table: string;
  readonly on: 'INSERT' | 'UPDATE' | 'DELETE';
  /** An SQL condition over NEW and OLD; all writes by default. */
  readonly when?: string;
  /** Whether to block after the row is written, so that others meet it, instead of before. */
  readonly written?: boolean;
}

/** Between two looks: at first, and at most, because each costs a query and a busy machine makes the wait long. */
const LOOK_MS = 5;
const LOOK_AT_MOST_MS = 50;
/** Far more than a busy machine needs: ends a test that has already failed. */
const WAIT_AT_MOST_MS = 60_000;
const HELD_AT_MOST_MS = 90_000;

let gates = 0;

/**
 * Blocks transactions at a chosen write, so that a test can run others past them: a rare race happens every time. A
 * trigger waits for an advisory lock that the closed gate holds.
 */
export class Gate {
  private constructor(
    private readonly db: Db,
    private readonly number: number,
    private readonly letGo: () => void,
    private readonly holder: Promise<void> | undefined,
  ) {}

  static async shut(db: Db, { table, on, when = 'true', written = false }: Held): Promise<Gate> {
    const number = 900_000 + ++gates;
    const name = `gate_${number}`;
    const row = on === 'DELETE' ? 'OLD' : 'NEW';
    await db.$executeRawUnsafe(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock_shared(${number}); RETURN ${row}; END; $$`);
    await db.$executeRawUnsafe(
      `CREATE TRIGGER ${name} ${written ? 'AFTER' : 'BEFORE'} ${on} ON "${table}"
        FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION ${name}()`,
    );
    let letGo = (): void => undefined;
    const opened = new Promise<void>((resolve) => (letGo = resolve));
    let holder: Promise<void> | undefined;
    await new Promise<void>((resolve, reject) => {
      holder = db.$transaction(
        async (tx) => {
          await tx.$executeRawUnsafe(`SELECT pg_advisory_xact_lock(${number})`);
          resolve();
          await opened;
        },
        { timeout: HELD_AT_MOST_MS },
      );
      holder.catch(reject);
    });
    return new Gate(db, number, letGo, holder);
  }

  /** Resolves once `count` transactions are blocked at it. */
  async crowd(count = 1): Promise<void> {
    await until(async () => {
      const [row] = await this.db.$queryRaw<{ waiting: bigint }[]>`
        SELECT count(*) AS waiting FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
        WHERE locktype = 'advisory' AND objid = ${this.number} AND NOT granted AND datname = current_database()`;
      return Number(row?.waiting ?? 0) >= count;
    });
  }

  /** Opens it permanently. Its trigger stays until {@link removeGates}. */
  async open(): Promise<void> {
    this.letGo();
    await this.holder;
  }
}

/** Removes the triggers of all gates, once nothing runs: this locks their tables. */
export async function removeGates(db: Db): Promise<void> {
  await db.$executeRaw`
    DO $$ DECLARE name text; BEGIN
      FOR name IN SELECT proname FROM pg_proc WHERE proname LIKE 'gate\_%' LOOP
        EXECUTE format('DROP FUNCTION %I CASCADE', name);
      END LOOP;
    END $$`;
}

/** Resolves once `count` transactions of this database wait for any lock, or `other` has settled. */
export async function blocked(db: Db, count: number, other: Promise<unknown>): Promise<void> {
  let over = false;
  const end = (): void => void (over = true);
  other.then(end, end);
  await until(async () => {
    const [row] = await db.$queryRaw<{ waiting: bigint }[]>`
      SELECT count(*) AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return over || Number(row?.waiting ?? 0) >= count;
  });
}

/** Polls a condition. @throws Error if it does not become true */
export async function until(so: () => Promise<boolean>): Promise<void> {
  const patience = AbortSignal.timeout(WAIT_AT_MOST_MS);
  for (let pauseMs = LOOK_MS; !(await so()); pauseMs = Math.min(LOOK_AT_MOST_MS, 1.2 * pauseMs)) {
    if (patience.aborted) throw new Error('what this test waits for does not happen');
    await sleep(pauseMs);
  }
}
