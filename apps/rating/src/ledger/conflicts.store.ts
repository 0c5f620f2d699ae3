import type { ConflictDecision } from '@muster/contracts';
import type { Db } from '@muster/db';

/** What an operator says about a conflict. */
export interface DecidedConflict {
  readonly matchId: string;
  readonly decision: ConflictDecision;
  readonly by: string;
  readonly why: string;
}

/** Decisions about results that contradict each other, in Postgres. */
export class PostgresConflicts {
  constructor(private readonly db: Db) {}

  async known(matchId: string): Promise<boolean> {
    const rows = await this.db.$sql.$queryRaw<object[]>`
      SELECT 1 FROM result_conflict WHERE match_id = ${matchId} LIMIT 1`;
    return rows.length > 0;
  }

  /** Decides all conflicts of a match. A match that is void stays so. */
  async decide({ matchId, decision, by, why }: DecidedConflict, now: number): Promise<void> {
    await this.db.$sql.$executeRaw`
      UPDATE result_conflict SET decision = ${decision}, decided_at = ${new Date(now)}, decided_by = ${by}, decided_why = ${why}
      WHERE match_id = ${matchId} AND (decision IS NULL OR decision NOT IN ('void', ${decision}))`;
  }

  /** What is decided about a match; null: nothing. */
  async decision(matchId: string): Promise<string | null> {
    const [row] = await this.db.$sql.$queryRaw<{ decision: string | null }[]>`
      SELECT decision FROM result_conflict WHERE match_id = ${matchId} ORDER BY decision = 'void' DESC NULLS LAST LIMIT 1`;
    return row?.decision ?? null;
  }
}
