import type { DeliveryView, MusterEvent, PageOfDeliveries } from '@muster/contracts';
import { sqlPart, transact, type Db, type Sql } from '@muster/db';
import { asEvent, type EventRow } from './event-log.store.js';
import { secretsOf, type Secret } from './secrets.js';

/** A webhook that events are sent to now. */
export interface Target {
  readonly webhookId: string;
  readonly url: string;
  /** Those that sign, the newest first. */
  readonly secrets: readonly string[];
}

/** A delivery that this process attempts. */
export interface Claim {
  readonly position: bigint;
  readonly attempts: number;
  /** Milliseconds since the first attempt. */
  readonly triedForMs: number;
  readonly event: MusterEvent;
}

/** What became of an attempt. */
export interface Settlement {
  readonly state: 'delivered' | 'dead' | 'due';
  /** When it is due again. */
  readonly afterMs: number;
  readonly status: number | null;
  readonly error: string | null;
}

/** The most dead letters that are retried at once. */
const retriedAtOnce = 10_000;

/** Events on their way to webhooks. */
export class PostgresDeliveries {
  constructor(private readonly db: Db) {}

  /** The webhooks that are not paused. */
  async targets(): Promise<Target[]> {
    const rows = await this.db.$sql.$queryRaw<{ id: string; url: string; secrets: Secret[]; at: Date }[]>`
      SELECT id, url, secrets, now() AS at FROM webhook WHERE state = 'active' ORDER BY id`;
    return rows.map(({ id, url, secrets, at }) => ({
      webhookId: id,
      url,
      secrets: secretsOf(secrets, at.getTime()).map(({ secret }) => secret),
    }));
  }

  /**
   * Claims due deliveries of a webhook, the oldest first. One whose attempt is not settled, because its process ended, is due
   * again after `leaseMs`.
   */
  async claim(webhookId: string, limit: number, leaseMs: number): Promise<Claim[]> {
    const rows = await this.db.$sql.$queryRaw<(EventRow & { attempts: number; tried_for: number })[]>`
      WITH due AS MATERIALIZED (
        SELECT position FROM webhook_delivery
        WHERE webhook_id = ${webhookId} AND state = 'due' AND next_at <= now()
        ORDER BY next_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
      ), claimed AS (
        UPDATE webhook_delivery SET attempts = attempts + 1, first_at = coalesce(first_at, now()), last_at = now(), error = NULL,
          next_at = now() + ${leaseMs}::float8 * interval '1 millisecond'
        FROM due WHERE webhook_id = ${webhookId} AND webhook_delivery.position = due.position
        RETURNING webhook_delivery.position, attempts, (extract(epoch FROM now() - first_at) * 1000)::float8 AS tried_for
      )
      SELECT event_log.position, event_id, type, version, at, data, attempts, tried_for
      FROM claimed JOIN event_log ON event_log.position = claimed.position ORDER BY event_log.position`;
    return rows.map((row) => ({
      position: row.position,
      attempts: row.attempts,
      triedForMs: row.tried_for,
      event: asEvent(row),
    }));
  }

  /**
   * Writes what became of an attempt; the next event of the same key becomes due when this one is out of its way.
   *
   * @returns false if the claim was lost: another process attempts it, or the webhook is gone
   */
  settle(
    webhookId: string,
    { position, attempts }: Pick<Claim, 'position' | 'attempts'>,
    { state, afterMs, status, error }: Settlement,
  ): Promise<boolean> {
    return transact(this.db, async (sql) => {
      await hold(sql, webhookId);
      const [settled] = await sql.$queryRaw<{ order_key: string }[]>`
        UPDATE webhook_delivery SET state = ${state}, status = ${status}::int, error = ${error},
          next_at = now() + ${afterMs}::float8 * interval '1 millisecond'
        WHERE webhook_id = ${webhookId} AND position = ${position} AND state = 'due' AND attempts = ${attempts}
        RETURNING order_key`;
      if (settled && state !== 'due')
        await sql.$executeRaw`
          UPDATE webhook_delivery SET state = 'due', next_at = now()
          WHERE webhook_id = ${webhookId} AND position = (
            SELECT min(position) FROM webhook_delivery
            WHERE webhook_id = ${webhookId} AND order_key = ${settled.order_key} AND state IN ('due', 'behind')
          ) AND state = 'behind'`;
      return settled !== undefined;
    });
  }

  /** A receiver that was away is back: what it missed is due at once. An event in an attempt has no error. */
  async hurry(webhookId: string): Promise<void> {
    await this.db.$sql.$executeRaw`
      UPDATE webhook_delivery SET next_at = now()
      WHERE webhook_id = ${webhookId} AND state = 'due' AND next_at > now() AND error IS NOT NULL`;
  }

  /** Deliveries to a webhook, the newest first. */
  async list(webhookId: string, { state, before, limit }: PageOfDeliveries): Promise<DeliveryView[]> {
    // Literals, for the partial indexes.
    const inState =
      state === 'dead'
        ? sqlPart`state = 'dead'`
        : state === 'open'
          ? sqlPart`state IN ('due', 'behind')`
          : state === 'delivered'
            ? sqlPart`state = 'delivered'`
            : sqlPart`true`;
    const rows = await this.db.$sql.$queryRaw<DeliveryView[]>`
      SELECT delivery.position::float8 AS position, event_id AS "eventId", type, state, attempts, status, error,
        floor(extract(epoch FROM at) * 1000)::float8 AS at,
        CASE WHEN state = 'due' THEN floor(extract(epoch FROM next_at) * 1000)::float8 END AS "nextAt",
        floor(extract(epoch FROM last_at) * 1000)::float8 AS "lastAt"
      FROM webhook_delivery AS delivery JOIN event_log ON event_log.position = delivery.position
      WHERE webhook_id = ${webhookId} AND ${inState}
        AND (${before ?? null}::bigint IS NULL OR delivery.position < ${before ?? null}::bigint)
      ORDER BY delivery.position DESC LIMIT ${limit}`;
    return rows;
  }

  /** Makes dead letters due again, with all their attempts. @returns how many */
  retry(webhookId: string, positions: readonly number[] | null): Promise<number> {
    return transact(this.db, async (sql) => {
      await hold(sql, webhookId);
      return sql.$executeRaw`
        UPDATE webhook_delivery SET state = 'due', attempts = 0, first_at = NULL, next_at = now()
        WHERE webhook_id = ${webhookId} AND state = 'dead' AND position = ANY(ARRAY(
          SELECT position FROM webhook_delivery WHERE webhook_id = ${webhookId} AND state = 'dead'
            AND (${positions}::bigint[] IS NULL OR position = ANY(${positions}::bigint[]))
          ORDER BY position LIMIT ${retriedAtOnce}))`;
    });
  }
}

/** Waits for who hands out events or settles others of the webhook: the next statement sees what they did. */
async function hold(sql: Sql, webhookId: string): Promise<void> {
  await sql.$queryRaw`SELECT id FROM webhook WHERE id = ${webhookId} FOR UPDATE`;
}
