import { writeReason } from '@muster/contracts';
import type { Db } from '@muster/db';
import type { Lift } from '@muster/domain';

/** Penalties of a range of time: from its begin, before its end. */
export interface PenaltyRange {
  readonly from: number;
  readonly to: number;
  /** null: of every queue. */
  readonly queue: string | null;
  /** Of the match; null: of every region, and of matches that were not formed. */
  readonly region: string | null;
}

/** The last penalty of a page: where the next one begins. */
export interface PenaltyPosition {
  readonly at: number;
  readonly penaltyId: string;
}

/** Lifts many penalties in Postgres. */
export class PostgresPardon {
  constructor(private readonly db: Db) {}

  /**
   * Lifts those of a page of a range that count. The next `limit` penalties after a position are looked at, so the cost of a call
   * is the same wherever it is.
   *
   * @returns how many were lifted, and the end of the page; null: no more follow
   */
  async lift(
    { from, to, queue, region }: PenaltyRange,
    { at, why }: Lift,
    after: PenaltyPosition | null,
    limit: number,
  ): Promise<{ readonly lifted: number; readonly next: PenaltyPosition | null }> {
    const { reason, messages } = writeReason(why);
    const asJson = messages ? JSON.stringify(messages) : null;
    const since = new Date(after?.at ?? from);
    const [row] = await this.db.$sql.$queryRaw<
      { lifted: number; looked: number; at: Date | null; id: string | null }[]
    >`
      WITH page AS MATERIALIZED (
        SELECT id, at, queue, match_id FROM penalty
        WHERE at >= ${since} AND at < ${new Date(to)} AND (at, id) > (${since}, ${after?.penaltyId ?? ''})
        ORDER BY at, id LIMIT ${limit}
      ), lifted AS (
        UPDATE penalty SET forgiven_at = ${new Date(at)}, lifted_at = ${new Date(at)}, lifted_why = ${reason},
          lifted_messages = ${asJson}::jsonb
        FROM page
        WHERE penalty.id = page.id AND penalty.forgiven_at IS NULL AND page.queue = coalesce(${queue}, page.queue)
          AND (${region}::text IS NULL OR EXISTS (
            SELECT 1 FROM match WHERE match.id = page.match_id AND match.region = ${region}))
        RETURNING 1
      )
      SELECT (SELECT count(*)::int FROM lifted) AS lifted, (SELECT count(*)::int FROM page) AS looked, last.at, last.id
      FROM (VALUES (1)) AS one LEFT JOIN LATERAL (SELECT at, id FROM page ORDER BY at DESC, id DESC LIMIT 1) AS last ON true`;
    const { lifted = 0, looked = 0, at: lastAt = null, id = null } = row ?? {};
    const next = looked < limit || !lastAt || id === null ? null : { at: lastAt.getTime(), penaltyId: id };
    return { lifted, next };
  }
}
