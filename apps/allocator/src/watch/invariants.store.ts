import type { Db } from '@muster/db';

/** The invariants that are looked at, by what violates them. */
export const violationKinds = [
  'openSessionOfOtherMatchState',
  'openSessionOfLostServer',
  'placementOfPlacedMatch',
  'heldPlayerOfEndedMatch',
] as const;

/** Violations by invariant. */
export type Violations = Readonly<Record<(typeof violationKinds)[number], number>>;

/** Asks the database whether invariants hold. */
export class PostgresInvariants {
  constructor(private readonly db: Db) {}

  /**
   * Looks for rows that no transaction leaves behind. It reads at most 1,000 open sessions, 1,000 placements and 1,000 held
   * players, whatever the history. One statement has one snapshot, so changes in progress are no violations.
   */
  async violations(): Promise<Violations> {
    const [found] = await this.db.$sql.$queryRaw<Violations[]>`
      WITH open AS MATERIALIZED (
        SELECT match_id, server_id, incarnation, state FROM session
        WHERE state IN ('reserved', 'live') ORDER BY server_id, slot_ordinal LIMIT 1000
      ), held AS MATERIALIZED (
        SELECT match_id FROM live_player LIMIT 1000
      ), waits AS MATERIALIZED (
        SELECT match_id FROM placement LIMIT 1000
      )
      SELECT (SELECT count(*) FROM open JOIN match ON match.id = open.match_id
          WHERE (open.state, match.state) NOT IN (('live', 'placed'), ('reserved', 'formed')))::int AS "openSessionOfOtherMatchState",
        (SELECT count(*) FROM open JOIN server ON server.id = open.server_id
          WHERE server.state IN ('lost', 'left') OR server.incarnation <> open.incarnation)::int AS "openSessionOfLostServer",
        (SELECT count(*) FROM waits JOIN match ON match.id = waits.match_id
          WHERE match.state <> 'formed')::int AS "placementOfPlacedMatch",
        (SELECT count(*) FROM held JOIN match ON match.id = held.match_id
          WHERE match.state NOT IN ('formed', 'placed', 'ended'))::int AS "heldPlayerOfEndedMatch"`;
    if (!found) throw new Error('a statement of counts returned no row');
    return found;
  }
}
