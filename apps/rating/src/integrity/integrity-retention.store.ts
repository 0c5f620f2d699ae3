import type { Db } from '@muster/db';

/** Deletes evidence and cases past retention, oldest first. Several replicas may run it at once. */
export class IntegrityRetention {
  constructor(private readonly db: Db) {}

  /** Deletes what is remembered of players and servers without a match since. @returns whether there may be more */
  async deleteEvidence(before: number, limit: number): Promise<boolean> {
    const count = await this.db.$sql.$executeRaw`
      DELETE FROM integrity_watch WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM integrity_watch WHERE seen_at < ${new Date(before)} ORDER BY seen_at LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
    return count >= limit;
  }

  /** Deletes habits that were not told since. @returns whether there may be more */
  async deleteHabits(before: number, limit: number): Promise<boolean> {
    const count = await this.db.$sql.$executeRaw`
      DELETE FROM player_habit WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM player_habit WHERE seen_at < ${new Date(before)} ORDER BY seen_at LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
    return count >= limit;
  }

  /** Deletes cases that were closed before. @returns whether there may be more */
  async deleteCases(before: number, limit: number): Promise<boolean> {
    const count = await this.db.$sql.$executeRaw`
      DELETE FROM integrity_case WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM integrity_case WHERE state = 'closed' AND closed_at < ${new Date(before)}
        ORDER BY closed_at LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
    return count >= limit;
  }
}
