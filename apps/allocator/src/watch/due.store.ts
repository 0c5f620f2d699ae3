import { type Db, sqlPart, type SqlPart } from '@muster/db';
import type { DueTimes } from './due.js';

/** The time that a statement gives, in milliseconds since the epoch. */
const msOf = (statement: SqlPart): SqlPart =>
  sqlPart`floor(extract(epoch FROM (${statement})) * 1000)::float8`;

/** Reads the first entry of an index for each kind of work that sweeps do, and the sessions of open backfill requests. */
export async function dueTimes(db: Db): Promise<DueTimes> {
  // States are literals in the statement: only then can a cached plan use the partial indexes.
  const [times] = await db.$sql.$queryRaw<DueTimes[]>`
    SELECT ${msOf(sqlPart`SELECT min(answer_by) FROM session WHERE state = 'reserved'`)} AS "answerBy",
      ${msOf(sqlPart`SELECT min(heartbeat_at) FROM server WHERE state IN ('ready', 'draining')`)} AS "heardAt",
      ${msOf(sqlPart`SELECT min(live_at) FROM session WHERE state = 'live'`)} AS "liveAt",
      ${msOf(sqlPart`SELECT min(give_up_at) FROM placement`)} AS "giveUpAt",
      ${msOf(sqlPart`SELECT min(next_attempt_at) FROM placement`)} AS "nextAttemptAt",
      ${msOf(sqlPart`SELECT min(created_at) FROM command WHERE kind = 'add-players' AND state = 'pending'`)} AS "seatsSentAt",
      ${msOf(sqlPart`SELECT min(expires_at) FROM backfill WHERE state = 'open'`)} AS "backfillExpiresAt",
      EXISTS (SELECT 1 FROM backfill WHERE state = 'open' AND (
        SELECT session.state FROM session WHERE session.id = backfill.session_id) <> 'live') AS "backfillOrphaned"`;
  if (!times) throw new Error('a statement without a table returned no row');
  return times;
}
