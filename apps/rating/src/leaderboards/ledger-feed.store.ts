import type { Db } from '@muster/db';
import type { RatingPool } from '@muster/domain';

/** An end of the ledger: all events up to `last` are final when the transactions before the fence are over. */
export interface LedgerEnd {
  readonly last: bigint;
  readonly fence: bigint;
}

/** Players of events, and the last event of them. */
export interface ChangedPlayers {
  readonly playerIds: readonly string[];
  readonly last: bigint | null;
  /** Whether there may be more events. */
  readonly more: boolean;
}

/**
 * Reads which ratings the ledger of all pools changed. Events are numbered in the order in which transactions draw the numbers,
 * and committed in any order, so an event with a lower number may still appear.
 */
export class PostgresLedgerFeed {
  constructor(private readonly db: Db) {}

  /** The number of the last event that is committed, of all pools; 0 for none. */
  async last(): Promise<bigint> {
    const [row] = await this.db.$sql.$queryRaw<{ last: bigint }[]>`
      SELECT sequence AS last FROM rating_event ORDER BY sequence DESC LIMIT 1`;
    return BigInt(row?.last ?? 0);
  }

  /** The last event that is committed, then a transaction id later than that of all events up to it. */
  async end(): Promise<LedgerEnd> {
    const last = await this.last();
    // A second statement, so that it is later. The numbers are drawn by transactions that hold rows, so they have ids.
    const [own] = await this.db.$sql.$queryRaw<{ id: string }[]>`SELECT pg_current_xact_id()::text AS id`;
    return { last, fence: BigInt(own?.id ?? 0) };
  }

  /** Whether all transactions before a fence are over. */
  async over(fence: bigint): Promise<boolean> {
    const [row] = await this.db.$sql.$queryRaw<{ oldest: string }[]>`
      SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS oldest`;
    return BigInt(row?.oldest ?? 0) > fence;
  }

  /** The players of a pool's next events after one. */
  async after(
    { name, generation }: Pick<RatingPool, 'name' | 'generation'>,
    sequence: bigint,
    limit: number,
  ): Promise<ChangedPlayers> {
    const [row] = await this.db.$sql.$queryRaw<{ ids: string[]; last: bigint | null; many: number }[]>`
      WITH event AS MATERIALIZED (
        SELECT sequence, kind, event_id FROM rating_event
        WHERE pool = ${name} AND sequence > ${sequence} ORDER BY sequence LIMIT ${limit}::int
      )
      SELECT ARRAY(
          SELECT DISTINCT change.player_id FROM event JOIN rating_change AS change
            ON change.pool = ${name} AND change.generation = ${generation} AND change.kind = event.kind AND change.event_id = event.event_id
        ) AS ids, (SELECT max(sequence) FROM event) AS last, (SELECT count(*)::int FROM event) AS many`;
    const { ids = [], last = null, many = 0 } = row ?? {};
    return { playerIds: ids, last: last === null ? null : BigInt(last), more: many === limit };
  }
}
