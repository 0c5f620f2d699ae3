import {
  commendations,
  complaints,
  grouped,
  oneOf,
  type BehaviourMark,
  type BehaviourReport,
  type ReportOutcome,
} from '@muster/domain';
import type { Db } from '@muster/db';
import { batchedSince, ofAll } from './batched.store.js';

interface MarkRow {
  match_id: string;
  reporter: string;
  party: number | null;
  reported: string;
  kind: string;
  weight: number;
  at: Date;
}
interface ReportRow extends MarkRow {
  note: string | null;
}

const kinds = [...complaints, ...commendations];
/** Of more than so many reports on a player only the newest are read. */
const mostMarks = 300;

/** Reports of players on one another in Postgres: one per match, reporter and reported player. */
export class PostgresBehaviourStore {
  private readonly loader = batchedSince((playerIds, since) => this.readMarks(playerIds, since));

  constructor(private readonly db: Db) {}

  /** The primary key decides whether a report is the first, which counts and stays. */
  async report(report: BehaviourReport): Promise<ReportOutcome> {
    const { matchId, reporter, party, reported, kind, weight, note, at } = report;
    const count = await this.db.$sql.$executeRaw`
      INSERT INTO behaviour_report (match_id, reporter, party, reported, kind, weight, note, at)
      VALUES (${matchId}, ${reporter}, ${party}, ${reported}, ${kind}, ${weight}, ${note}, ${new Date(at)}) ON CONFLICT DO NOTHING`;
    if (count > 0) return 'counted';
    const [first] = await this.db.$sql.$queryRaw<{ kind: string }[]>`
      SELECT kind FROM behaviour_report WHERE match_id = ${matchId} AND reporter = ${reporter} AND reported = ${reported}`;
    if (!first) throw new Error(`the report of ${reporter} on ${reported} is known and there is none`);
    return oneOf(kinds, first.kind) === kind ? 'repeat' : 'contradicts';
  }

  /**
   * The reports on each of these players since a time, of many only the newest. Players without reports are missing. Those on
   * all who queue in one turn are read in one statement.
   */
  marksOf(
    playerIds: readonly string[],
    since: number,
  ): Promise<ReadonlyMap<string, readonly BehaviourMark[]>> {
    return ofAll(playerIds, (playerId) => this.loader.load({ playerId, since }));
  }

  private async readMarks(
    playerIds: readonly string[],
    since: number,
  ): Promise<ReadonlyMap<string, readonly BehaviourMark[]>> {
    const rows = await this.db.$sql.$queryRaw<MarkRow[]>`
      SELECT newest.* FROM unnest(${[...playerIds]}::text[]) AS asked (player_id) CROSS JOIN LATERAL (
        SELECT match_id, reporter, party, reported, kind, weight, at FROM behaviour_report
        WHERE reported = asked.player_id AND at > ${new Date(since)} ORDER BY at DESC LIMIT ${mostMarks}
      ) AS newest`;
    const byPlayer = grouped(rows, ({ reported }) => reported);
    return new Map([...byPlayer].map(([playerId, theirs]) => [playerId, theirs.map(markOf)]));
  }

  /** The reports on one player, newest first. */
  async reportsOn(playerId: string, limit: number): Promise<BehaviourReport[]> {
    const rows = await this.db.$sql.$queryRaw<ReportRow[]>`
      SELECT * FROM behaviour_report WHERE reported = ${playerId} ORDER BY at DESC, match_id, reporter LIMIT ${limit}`;
    return rows.map((row) => ({
      ...markOf(row),
      reported: row.reported,
      note: row.note,
    }));
  }
}

function markOf({ match_id: matchId, reporter, party, kind, weight, at }: MarkRow): BehaviourMark {
  return { matchId, reporter, party, kind: oneOf(kinds, kind), weight, at: at.getTime() };
}
