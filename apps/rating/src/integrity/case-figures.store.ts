import type { Db } from '@muster/db';

/** Cases that are counted at most, so that a scrape costs the same however many wait. */
const countedCases = 10_000;

/** @returns the number of open cases of each kind that has some; of the oldest {@link countedCases} */
export async function openCases(db: Db, limit = countedCases): Promise<Map<string, number>> {
  const rows = await db.$sql.$queryRaw<{ kind: string; count: number }[]>`
    SELECT kind, count(*)::int AS count FROM (
      SELECT kind FROM integrity_case WHERE state = 'open' ORDER BY opened_at, id LIMIT ${limit}::int
    ) AS open GROUP BY kind`;
  return new Map(rows.map(({ kind, count }) => [kind, count]));
}
