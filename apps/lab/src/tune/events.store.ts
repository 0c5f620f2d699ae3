import type { Db } from '@muster/db';
import type { MatchEvent } from '@muster/domain';

interface EventRow {
  readonly sequence: bigint;
  readonly event_id: string;
  readonly at: Date;
  readonly detail: Pick<MatchEvent, 'teams' | 'ranks' | 'played'>;
}

const eventsAtOnce = 1_000;

/** The latest matches of a pool's ledger that were not voided, oldest first. @param most number of matches */
export async function readMatchEvents(db: Db, pool: string, most: number): Promise<MatchEvent[]> {
  const found: MatchEvent[] = [];
  const voided = new Set(await readVoided(db, pool));
  let before = 2n ** 62n;
  while (found.length < most) {
    const rows = await db.$sql.$queryRaw<EventRow[]>`
      SELECT sequence, event_id, at, detail FROM rating_event
      WHERE pool = ${pool} AND sequence < ${before} AND kind = 'match' ORDER BY sequence DESC LIMIT ${eventsAtOnce}::int`;
    for (const { event_id: eventId, at, detail } of rows)
      if (!voided.has(eventId)) found.push({ kind: 'match', eventId, at: at.getTime(), ...detail });
    const last = rows.at(-1);
    if (!last || rows.length < eventsAtOnce) break;
    before = last.sequence;
  }
  return found.slice(0, most).toReversed();
}

async function readVoided(db: Db, pool: string): Promise<string[]> {
  const rows = await db.$sql.$queryRaw<{ event_id: string }[]>`
    SELECT event_id FROM rating_event WHERE pool = ${pool} AND kind = 'void'`;
  return rows.map(({ event_id }) => event_id);
}
