import type { Db } from '@muster/db';

/** Deletes penalties and reports past retention, oldest first. Several replicas may run it at once. */
export class PostgresStandingRetention {
  constructor(private readonly db: Db) {}

  /** @returns whether there may be more */
  async deletePenalties(before: number, limit: number): Promise<boolean> {
    const count = await this.db.$sql.$executeRaw`
      DELETE FROM penalty WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM penalty WHERE at < ${new Date(before)} ORDER BY at LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
    return count >= limit;
  }

  /** @returns whether there may be more */
  async deleteReports(before: number, limit: number): Promise<boolean> {
    // Without a lock, which needs a right to update: of two replicas that choose the same rows, one deletes them.
    const count = await this.db.$sql.$executeRaw`
      DELETE FROM behaviour_report WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM behaviour_report WHERE at < ${new Date(before)} ORDER BY at LIMIT ${limit}))`;
    return count >= limit;
  }
}
