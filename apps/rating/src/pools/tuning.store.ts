import type { Db } from '@muster/db';

/** When pools were tuned, in Postgres. */
export class PostgresTunings {
  constructor(private readonly db: Db) {}

  /** Rated matches of the pool at the last tuning; null: it was never tuned. */
  async tunedAt(pool: string): Promise<number | null> {
    const [row] = await this.db.$sql.$queryRaw<{ matches: bigint }[]>`
      SELECT matches FROM pool_tuning WHERE pool = ${pool}`;
    return row ? Number(row.matches) : null;
  }

  async tuned(pool: string, matches: number, now: number): Promise<void> {
    await this.db.$sql.$executeRaw`
      INSERT INTO pool_tuning (pool, matches, tuned_at) VALUES (${pool}, ${matches}::bigint, ${new Date(now)})
      ON CONFLICT (pool) DO UPDATE SET matches = EXCLUDED.matches, tuned_at = EXCLUDED.tuned_at`;
  }
}
