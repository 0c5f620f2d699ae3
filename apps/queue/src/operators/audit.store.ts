import { sqlPart, type Db } from '@muster/db';
import type { Json } from '@muster/domain';

/** Which rows of the audit log; all of them by default. Times are in milliseconds since the epoch. */
export interface AuditQuery {
  readonly who?: string | undefined;
  readonly call?: string | undefined;
  readonly target?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** A row of the audit log. */
export interface AuditRow {
  readonly id: bigint;
  readonly at: Date;
  readonly service: string;
  readonly who: string;
  readonly sign_in: string;
  readonly key_id: string | null;
  readonly role: string;
  readonly call: string;
  readonly targets: string[];
  readonly reason: string | null;
  readonly asked: Record<string, string | number | boolean | null> | null;
  readonly before: Record<string, Json>[] | null;
  readonly after: Record<string, Json>[] | null;
  readonly origin: string;
  readonly outcome: string;
}

const lastId = 9_223_372_036_854_775_807n;
/** Before and after every row: years of four digits. */
const [firstMs, lastMs] = [0, 253_402_300_799_999];

/** The audit log of all services, in Postgres. */
export class PostgresAudit {
  constructor(private readonly db: Db) {}

  /** @param before rows with a smaller id than this one @returns rows, newest first */
  page(
    { who, call, target, from, to }: AuditQuery,
    before: bigint | null,
    limit: number,
  ): Promise<AuditRow[]> {
    // The filter that leaves the fewest rows is a form of its own, so that its index is used.
    const narrow =
      target !== undefined
        ? sqlPart`targets @> ARRAY[${target}]::text[]`
        : who !== undefined
          ? sqlPart`who = ${who}`
          : sqlPart`true`;
    return this.db.$sql.$queryRaw<AuditRow[]>`
      SELECT id, at, service, who, sign_in, key_id, role, call, targets, reason, asked, before, after, origin, outcome
      FROM audit_entry
      WHERE ${narrow} AND id < ${before ?? lastId}::bigint AND at >= ${new Date(from ?? firstMs)} AND at < ${new Date(to ?? lastMs)}
        AND (${who ?? null}::text IS NULL OR who = ${who ?? null}) AND (${call ?? null}::text IS NULL OR call = ${call ?? null})
      ORDER BY id DESC LIMIT ${limit}`;
  }

  /** Deletes rows before a time, oldest first; none is younger than a month. @returns whether there may be more */
  async forget(before: number, limit: number): Promise<boolean> {
    const [row] = await this.db.$sql.$queryRaw<{ gone: number }[]>`
      SELECT forget_audit(${new Date(before)}::timestamptz, ${limit}::int) AS gone`;
    return (row?.gone ?? 0) >= limit;
  }
}
