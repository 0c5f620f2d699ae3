import { IntegrityWatch, type OpenedCase } from '../../apps/rating/src/integrity/watch.store.js';
import { until } from '../support/gate.js';
import { as } from '../support/database.js';
import { noon } from './fixtures.js';
import { countingIds } from './rebuild-fixtures.js';
import type { Db } from '../support/prisma.js';

const ids = countingIds();

/** A process that follows ledgers for signals. @param limit matches in one transaction */
export function watcher(db: Db, limit?: number): IntegrityWatch {
  return new IntegrityWatch(as('rating', db), ids, limit);
}

/**
 * Follows a pool's ledger to its end. Transactions of tests in other databases of the server may run meanwhile; matches are
 * counted once they are over.
 *
 * @returns the cases that were opened
 */
export async function watchedAll(
  db: Db,
  pool: string,
  watch = watcher(db),
  now = noon,
): Promise<OpenedCase[]> {
  const opened: OpenedCase[] = [];
  await until(async () => {
    for (let more = true; more;) {
      const followed = await watch.follow(pool, now);
      opened.push(...followed.opened);
      ({ more } = followed);
    }
    const [row] = await db.$queryRaw<{ done: boolean }[]>`
      SELECT through >= coalesce((SELECT max(sequence) FROM rating_event WHERE pool = ${pool}), 0)
        AND integrity_cursor.generation = rating_pool.generation AS done
      FROM integrity_cursor JOIN rating_pool ON name = pool WHERE pool = ${pool}`;
    return row?.done === true;
  });
  return opened;
}
