import type { Db } from '@muster/db';
import type { ChangedPlayers, LedgerEnd, LedgerFeed, RatingPool } from '@muster/domain';

/** Reads the ledger of all pools by the numbers of its events. */
export class PostgresLedgerFeed implements LedgerFeed {
  constructor(private readonly db: Db) {}

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

  async over(fence: bigint): Promise<boolean> {
    const [row] = await this.db.$sql.$queryRaw<{ oldest: string }[]>`
      SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS oldest`;
    return BigInt(row?.oldest ?? 0) > fence;
  }

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
