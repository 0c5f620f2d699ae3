import type { OutboxEntry } from '@muster/domain';
import type { OutboxJob } from '@muster/contracts';
import type { Db } from './client.js';
import type { Sql } from './sql.js';

/** The services with an outbox relay. */
export type OutboxOwner = 'assignment' | 'allocator' | 'rating';

/** Jobs as rows for `jsonb_to_recordset`. */
export function outboxJson(jobs: readonly OutboxJob[]): string {
  return JSON.stringify(jobs.map(({ queue, jobId, payload }) => ({ queue, job_id: jobId, payload })));
}

/** Writes jobs to the outbox within the transaction; the relay sends them after the commit. */
export async function enqueueAfterCommit(
  sql: Sql,
  owner: OutboxOwner,
  jobs: readonly OutboxJob[],
): Promise<void> {
  if (jobs.length === 0) return;
  await sql.$executeRaw`
    INSERT INTO outbox (owner, queue, job_id, payload)
    SELECT ${owner}, row.queue, row.job_id, row.payload
    FROM jsonb_to_recordset(${outboxJson(jobs)}::jsonb) AS row(queue text, job_id text, payload jsonb)`;
}

interface Row {
  id: bigint;
  queue: string;
  job_id: string;
  payload: unknown;
}

type CompletedEntries = (
  sql: Pick<Sql, '$queryRaw'>,
  entries: readonly OutboxEntry[],
) => Promise<readonly OutboxEntry[]>;

/** Jobs that were enqueued in commits and are not sent yet, and those that were sent a short while ago. */
export class PostgresOutbox {
  /** @param completed adds to entries what is read when they are sent, by the statement of their transaction */
  constructor(
    private readonly db: Db,
    private readonly completed: CompletedEntries | null = null,
  ) {}

  /** Whether an owner has no entries. Cheaper than `relay`. */
  async isEmpty(owner: string): Promise<boolean> {
    const [row] = await this.db.$sql.$queryRaw<{ empty: boolean }[]>`
      SELECT NOT EXISTS (SELECT FROM outbox WHERE owner = ${owner}) AS empty`;
    return row?.empty ?? true;
  }

  /** The age of the oldest row in milliseconds, by the clock of the database; 0 without rows. */
  async lagMs(owner: string): Promise<number> {
    const [row] = await this.db.$sql.$queryRaw<{ lag: number }[]>`
      SELECT (extract(epoch FROM clock_timestamp() - created_at) * 1000)::float8 AS lag
      FROM outbox WHERE owner = ${owner} ORDER BY id LIMIT 1`;
    return Math.max(0, row?.lag ?? 0);
  }

  /**
   * Sends the oldest entries of an owner and deletes those that `send` accepted; entries that another relay holds are
   * skipped. Delivery is at least once: a crash in between repeats an entry.
   *
   * @returns how many were sent
   */
  relay(
    owner: string,
    limit: number,
    send: (entries: readonly OutboxEntry[]) => Promise<void>,
  ): Promise<number> {
    return this.db.$sql.transaction(async (sql) => {
      // "Materialized": otherwise the planner may run the selection again for each row, which would then select further
      // rows.
      const rows = await sql.$queryRaw<Row[]>`
          WITH oldest AS MATERIALIZED (
            SELECT id FROM outbox WHERE owner = ${owner} ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED
          ), gone AS (
            DELETE FROM outbox USING oldest WHERE outbox.id = oldest.id
            RETURNING outbox.id, outbox.owner, queue, job_id, payload
          )
          INSERT INTO outbox_sent (owner, id, queue, job_id, payload) SELECT owner, id, queue, job_id, payload FROM gone
          RETURNING id, queue, job_id, payload`;
      if (rows.length === 0) return 0;
      const entries = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(entryOf);
      await send(this.completed ? await this.completed(sql, entries) : entries);
      return rows.length;
    });
  }

  /** Some of an owner's sent jobs after an id, in the order of their ids. */
  async sentAfter(owner: string, after: string, limit: number): Promise<readonly OutboxEntry[]> {
    const rows = await this.db.$sql.$queryRaw<Row[]>`
      SELECT id, queue, job_id, payload FROM outbox_sent WHERE owner = ${owner} AND id > ${BigInt(after)}
      ORDER BY id LIMIT ${limit}`;
    const entries = rows.map(entryOf);
    return this.completed ? this.completed(this.db.$sql, entries) : entries;
  }

  /** Deletes jobs of an owner that were sent longer ago than `olderMs`. @returns how many, at most `limit` */
  forget(owner: string, olderMs: number, limit: number): Promise<number> {
    return this.db.$sql.$executeRaw`
      DELETE FROM outbox_sent WHERE owner = ${owner} AND id = ANY(ARRAY(
        SELECT id FROM outbox_sent WHERE owner = ${owner} AND sent_at < now() - ${olderMs}::float8 * interval '1 millisecond'
        ORDER BY sent_at LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
  }
}

/**
 * The row's id makes the job's id unique: a re-sent entry is the same job, a second entry about the same subject is
 * another.
 */
function entryOf({ id, queue, job_id, payload }: Row): OutboxEntry {
  return { id: String(id), queue, jobId: `${job_id}-${id}`, payload };
}
