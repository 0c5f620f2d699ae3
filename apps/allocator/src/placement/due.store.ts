import type { Db } from '@muster/db';
import type { DueTimes } from './due.js';

interface Row {
  readonly answer_by: Date | null;
  readonly heard_at: Date | null;
  readonly live_at: Date | null;
  readonly give_up_at: Date | null;
  readonly next_attempt_at: Date | null;
  readonly seats_sent_at: Date | null;
  readonly backfill_expires_at: Date | null;
  readonly backfill_orphaned: boolean;
}

/** Reads the first entry of an index for each kind of work that sweeps do, and the sessions of open backfill requests. */
export async function dueTimes(db: Db): Promise<DueTimes> {
  // States are literals in the statement: only then can a cached plan use the partial indexes.
  const [row] = await db.$sql.$queryRaw<Row[]>`
    SELECT (SELECT min(answer_by) FROM session WHERE state = 'reserved') AS answer_by,
      (SELECT min(heartbeat_at) FROM server WHERE state IN ('ready', 'draining')) AS heard_at,
      (SELECT min(live_at) FROM session WHERE state = 'live') AS live_at,
      (SELECT min(give_up_at) FROM placement) AS give_up_at,
      (SELECT min(next_attempt_at) FROM placement) AS next_attempt_at,
      (SELECT min(created_at) FROM command WHERE kind = 'add-players' AND state = 'pending') AS seats_sent_at,
      (SELECT min(expires_at) FROM backfill WHERE state = 'open') AS backfill_expires_at,
      EXISTS (SELECT 1 FROM backfill WHERE state = 'open' AND (
        SELECT session.state FROM session WHERE session.id = backfill.session_id) <> 'live') AS backfill_orphaned`;
  if (!row) throw new Error('a statement without a table returned no row');
  return {
    answerBy: timeOf(row.answer_by),
    heardAt: timeOf(row.heard_at),
    liveAt: timeOf(row.live_at),
    giveUpAt: timeOf(row.give_up_at),
    nextAttemptAt: timeOf(row.next_attempt_at),
    seatsSentAt: timeOf(row.seats_sent_at),
    backfillExpiresAt: timeOf(row.backfill_expires_at),
    backfillOrphaned: row.backfill_orphaned,
  };
}

const timeOf = (at: Date | null): number | null => at?.getTime() ?? null;
