import { type MusterEvent } from '@muster/contracts';
import { type Db, type Sql } from '@muster/db';

/** Positions looked at in one read, of which those that pass a filter are returned. */
const windowSize = 2_000;

/** An event with its place in the order of delivery. */
export interface LoggedEvent extends MusterEvent {
  readonly position: number;
}

/** The last position, and the last one whose event was deleted. */
export interface EventBounds {
  readonly last: number;
  readonly forgotten: number;
}

/** A row of the log. */
export interface EventRow {
  position: bigint;
  event_id: string;
  type: string;
  version: number;
  at: Date;
  data: Record<string, unknown>;
}

/** A row as receivers get it. */
export function asEvent({ event_id, type, version, at, data }: Omit<EventRow, 'position'>): MusterEvent {
  return { id: event_id, type, version, timestamp: at.toISOString(), data };
}

/** Events in the order of delivery. */
export class PostgresEventLog {
  constructor(private readonly db: Db) {}

  /** Whether commits wrote events that have no position yet. */
  async isBehind(): Promise<boolean> {
    const [row] = await this.db.$sql.$queryRaw<{ behind: boolean }[]>`
      SELECT EXISTS (SELECT FROM event_outbox) AS behind`;
    return row?.behind ?? false;
  }

  /** The age of the oldest event without a position, in milliseconds. */
  async lagMs(): Promise<number> {
    const [row] = await this.db.$sql.$queryRaw<{ lag: number }[]>`
      SELECT (extract(epoch FROM clock_timestamp() - at) * 1000)::float8 AS lag FROM event_outbox ORDER BY id LIMIT 1`;
    return Math.max(0, row?.lag ?? 0);
  }

  /**
   * Moves the oldest events from the outbox to the log, and to the webhooks that want them.
   *
   * 1. Hold the bounds: one replica gives numbers at a time, so a reader at a position has all before it.
   * 2. Hold the webhooks: who settles a delivery holds its webhook too, and each sees what the other did.
   * 3. Number, log and hand out the events, in one statement. An event of whose key one is open waits behind it.
   *
   * @returns how many; 0 also while another replica moves events
   */
  publish(limit: number): Promise<number> {
    return this.db.$sql.transaction(async (sql) => {
      // A new or a restored database has no bounds yet.
      const last = (await hold(sql)) ?? ((await begin(sql)) > 0 ? await hold(sql) : null);
      if (last === null) return 0;
      await holdWebhooks(sql);
      return move(sql, last, limit);
    });
  }

  async bounds(): Promise<EventBounds> {
    const [row] = await this.db.$sql.$queryRaw<{ last: bigint; forgotten: bigint }[]>`
      SELECT last, forgotten FROM event_bounds WHERE id = 1`;
    return { last: Number(row?.last ?? 0), forgotten: Number(row?.forgotten ?? 0) };
  }

  /**
   * Reads events after a position.
   *
   * @param filters types or groups; empty for all
   * @param last the last position
   * @returns events, and the position up to which there are no others; null if events after the position are no longer kept
   */
  async after(
    position: number,
    filters: readonly string[],
    last: number,
    limit: number,
  ): Promise<{ events: LoggedEvent[]; through: number } | null> {
    const through = Math.min(position + windowSize, last);
    // The bounds and the events of one moment: what is deleted meanwhile must not look like what no filter passes.
    const rows = await this.db.$sql.$queryRaw<(EventRow | { position: null })[]>`
      SELECT found.* FROM event_bounds LEFT JOIN (
        SELECT position, event_id, type, version, at, data FROM event_log
        WHERE position > ${BigInt(position)} AND position <= ${BigInt(through)}
          AND (${filters.length === 0} OR type = ANY(${[...filters]}::text[]) OR split_part(type, '.', 1) || '.*' = ANY(${[...filters]}::text[]))
        ORDER BY position LIMIT ${limit}
      ) AS found ON true
      WHERE event_bounds.id = 1 AND event_bounds.forgotten <= ${BigInt(position)} ORDER BY found.position`;
    if (rows.length === 0) return null;
    const events = rows.flatMap((row) =>
      row.position === null ? [] : { position: Number(row.position), ...asEvent(row) },
    );
    return { events, through: events.length < limit ? through : (events.at(-1)?.position ?? through) };
  }

  /** Deletes the oldest events that were logged before a number of days, with their deliveries. @returns how many */
  forget(days: number, limit: number): Promise<number> {
    return this.db.$sql.transaction(async (sql) => {
      const [row] = await sql.$queryRaw<{ through: bigint | null; many: number }[]>`
        WITH oldest AS MATERIALIZED (
          SELECT position, logged_at FROM event_log ORDER BY position LIMIT ${limit}
        ), gone AS (
          DELETE FROM event_log USING oldest
          WHERE event_log.position = oldest.position AND oldest.logged_at < now() - ${days}::float8 * interval '1 day'
          RETURNING event_log.position
        )
        SELECT max(position) AS through, count(*)::int AS many FROM gone`;
      const { through = null, many = 0 } = row ?? {};
      if (through === null) return 0;
      await sql.$executeRaw`UPDATE event_bounds SET forgotten = greatest(forgotten, ${through}) WHERE id = 1`;
      await holdWebhooks(sql);
      // What was behind a deleted delivery is no longer: nothing else would make it due.
      await sql.$executeRaw`
        WITH gone AS (
          DELETE FROM webhook_delivery WHERE webhook_id = ANY(ARRAY(SELECT id FROM webhook)) AND position <= ${through}
          RETURNING webhook_id, order_key, state
        )
        UPDATE webhook_delivery SET state = 'due', next_at = now()
        FROM (SELECT webhook_id, order_key FROM gone WHERE state = 'due') AS of CROSS JOIN LATERAL (
          SELECT position FROM webhook_delivery AS open
          WHERE open.webhook_id = of.webhook_id AND open.order_key = of.order_key AND open.state IN ('due', 'behind')
            AND position > ${through} ORDER BY position LIMIT 1
        ) AS first
        WHERE webhook_delivery.webhook_id = of.webhook_id AND webhook_delivery.position = first.position`;
      return many;
    });
  }
}

/** Holds the bounds. @returns the last position; null when another replica holds them, or there are none */
async function hold(sql: Sql): Promise<bigint | null> {
  const [bounds] = await sql.$queryRaw<{ last: bigint }[]>`
    SELECT last FROM event_bounds WHERE id = 1 FOR UPDATE SKIP LOCKED`;
  return bounds?.last ?? null;
}

/** Waits for who settles deliveries, and keeps others from it. */
async function holdWebhooks(sql: Sql): Promise<void> {
  await sql.$queryRaw`SELECT id FROM webhook ORDER BY id FOR UPDATE`;
}

function begin(sql: Sql): Promise<number> {
  return sql.$executeRaw`INSERT INTO event_bounds (id) VALUES (1) ON CONFLICT DO NOTHING`;
}

async function move(sql: Sql, last: bigint, limit: number): Promise<number> {
  const [row] = await sql.$queryRaw<{ many: number }[]>`
    WITH oldest AS MATERIALIZED (
      SELECT id FROM event_outbox ORDER BY id LIMIT ${limit}
    ), gone AS (
      DELETE FROM event_outbox USING oldest WHERE event_outbox.id = oldest.id
      RETURNING event_outbox.id, event_id, type, version, order_key, at, data
    ), numbered AS MATERIALIZED (
      SELECT ${last}::bigint + row_number() OVER (ORDER BY id) AS position, event_id, type, version, order_key, at, data FROM gone
    ), logged AS (
      INSERT INTO event_log (position, event_id, type, version, order_key, at, data)
      SELECT position, event_id, type, version, order_key, at, data FROM numbered
    ), wanted AS (
      SELECT webhook.id AS webhook_id, position, order_key,
        row_number() OVER (PARTITION BY webhook.id, order_key ORDER BY position) AS nth
      FROM numbered JOIN webhook ON webhook.state <> 'deleted'
        AND (cardinality(types) = 0 OR type = ANY(types) OR split_part(type, '.', 1) || '.*' = ANY(types))
    ), handed AS (
      INSERT INTO webhook_delivery (webhook_id, position, order_key, state)
      SELECT webhook_id, position, order_key, CASE WHEN nth > 1 OR EXISTS (
        SELECT FROM webhook_delivery AS open WHERE open.webhook_id = wanted.webhook_id AND open.order_key = wanted.order_key
          AND open.state IN ('due', 'behind')) THEN 'behind' ELSE 'due' END
      FROM wanted
    )
    UPDATE event_bounds SET last = last + (SELECT count(*) FROM numbered) WHERE id = 1
    RETURNING (last - ${last}::bigint)::int AS many`;
  return row?.many ?? 0;
}
