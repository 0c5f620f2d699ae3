import type { Db } from '../client.js';
import { sqlPart, verbatim } from '../sql-part.js';

/**
 * Deletes the oldest rows of a table past retention. Several replicas may run it at once.
 *
 * @param column the time of a row, with an index
 * @param condition of the index, if it is partial
 * @returns whether there may be more
 */
export async function deleteOldest(
  db: Db,
  table: string,
  column: string,
  before: number,
  limit: number,
  condition = 'true',
): Promise<boolean> {
  const [from, time] = [verbatim(table), verbatim(column)];
  const count = await db.$sql.$executeRaw(sqlPart`
    DELETE FROM ${from} WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM ${from} WHERE ${verbatim(condition)} AND ${time} < ${new Date(before)}
      ORDER BY ${time} LIMIT ${limit}::int FOR UPDATE SKIP LOCKED))`);
  return count >= limit;
}
