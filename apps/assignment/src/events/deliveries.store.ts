import type { DeliveryView, MusterEvent, PageOfDeliveries } from '@muster/contracts';
import { sqlPart, transact, type Db, type Sql } from '@muster/db';
import { asEvent, type EventRow } from './event-log.store.js';
import { secretsOf, type Secret } from './secrets.js';

/** A delivery that this process attempts. */
export interface Claim {
  readonly webhookId: string;
  readonly url: string;
  /** Those that sign, the newest first. */
  readonly secrets: readonly string[];
  readonly position: bigint;
  readonly attempts: number;
  /** Milliseconds since the first attempt. */
  readonly triedForMs: number;
  readonly event: MusterEvent;
}

/** Attempts that a receiver may get beside those in progress. */
export interface Places {
  readonly webhookId: string;
  readonly url: string;
  readonly free: number;
}

interface ClaimRow extends EventRow {
  webhook_id: string;
  url: string;
  secrets: Secret[];
  attempts: number;
  tried_for: number;
  now: Date;
}

/** What became of an attempt. */
export interface Settlement {
  readonly state: 'delivered' | 'dead' | 'due';
  /** When it is due again. */
  readonly afterMs: number;
  readonly status: number | null;
  readonly error: string | null;
}

/** A position above all. */
const afterAll = Number.MAX_SAFE_INTEGER;
/** The most dead letters that are retried at once. */
const retriedAtOnce = 10_000;

/** Events on their way to webhooks. */
export class PostgresDeliveries {
  constructor(private readonly db: Db) {}

  /**
   * Claims due deliveries of the webhooks that are not paused, the oldest of each first, in one statement however many webhooks
   * there are. One whose attempt is not settled, because its process ended, is due again after `leaseMs`.
   *
   * @param places free places of some webhooks, by id and address @param limit the most of each other one
   */
  async claim(places: readonly Places[], limit: number, leaseMs: number): Promise<Claim[]> {
    const [ids, urls, free] = [
      places.map((of) => of.webhookId),
      places.map((of) => of.url),
      places.map((of) => of.free),
    ];
    const rows = await this.db.$sql.$queryRaw<ClaimRow[]>`
      WITH due AS MATERIALIZED (
        SELECT webhook.id, url, secrets, next.position
        FROM webhook LEFT JOIN unnest(${ids}::text[], ${urls}::text[], ${free}::int[]) AS lane (webhook_id, address, free)
          ON lane.webhook_id = webhook.id AND lane.address = webhook.url
        CROSS JOIN LATERAL (
          SELECT position FROM webhook_delivery
          WHERE webhook_id = webhook.id AND webhook_delivery.state = 'due' AND next_at <= now()
          ORDER BY next_at LIMIT coalesce(lane.free, ${limit}) FOR UPDATE SKIP LOCKED
        ) AS next
        WHERE webhook.state = 'active'
      ), claimed AS (
        UPDATE webhook_delivery SET attempts = attempts + 1, first_at = coalesce(first_at, now()), last_at = now(), error = NULL,
          next_at = now() + ${leaseMs}::float8 * interval '1 millisecond'
        FROM due WHERE webhook_id = due.id AND webhook_delivery.position = due.position
        RETURNING webhook_id, url, secrets, webhook_delivery.position, attempts,
          (extract(epoch FROM now() - first_at) * 1000)::float8 AS tried_for
      )
      SELECT webhook_id, url, secrets, attempts, tried_for, now() AS now,
        event_log.position, event_id, type, version, at, data
      FROM claimed JOIN event_log ON event_log.position = claimed.position ORDER BY event_log.position`;
    return rows.map(
      ({ webhook_id: webhookId, url, secrets, position, attempts, tried_for: triedForMs, now, ...row }) => ({
        webhookId,
        url,
        secrets: secretsOf(secrets, now.getTime()).map(({ secret }) => secret),
        position,
        attempts,
        triedForMs,
        event: asEvent(row),
      }),
    );
  }

  /**
   * Writes what became of an attempt; the next event of the same key becomes due when this one is out of its way.
   *
   * @returns false if the claim was lost: another process attempts it, or the webhook is gone
   */
  settle(
    { webhookId, position, attempts }: Pick<Claim, 'webhookId' | 'position' | 'attempts'>,
    { state, afterMs, status, error }: Settlement,
  ): Promise<boolean> {
    return transact(this.db, async (sql) => {
      await hold(sql, webhookId);
      const [settled] = await sql.$queryRaw<{ order_key: string }[]>`
        UPDATE webhook_delivery SET state = ${state}, status = ${status}::int, error = ${error},
          next_at = now() + ${afterMs}::float8 * interval '1 millisecond'
        WHERE webhook_id = ${webhookId} AND position = ${position} AND state = 'due' AND attempts = ${attempts}
        RETURNING order_key`;
      if (settled && state !== 'due') await goOn(sql, webhookId, [settled.order_key]);
      return settled !== undefined;
    });
  }

  /**
   * Makes what failed due at once. An event in an attempt has no error.
   *
   * @param absenceMs what was attempted within this time, in which the receiver was away; null for all
   */
  async hurry(webhookId: string, absenceMs: number | null): Promise<void> {
    await this.db.$sql.$executeRaw`
      UPDATE webhook_delivery SET next_at = now()
      WHERE webhook_id = ${webhookId} AND state = 'due' AND next_at > now() AND error IS NOT NULL
        AND (${absenceMs}::float8 IS NULL OR last_at >= now() - ${absenceMs}::float8 * interval '1 millisecond')`;
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
        AND delivery.position < ${before ?? afterAll}::bigint
      ORDER BY delivery.position DESC LIMIT ${limit}`;
    return rows;
  }

  /** Retries dead letters, with all their attempts and in order, but after what is open of their keys. @returns how many */
  retry(webhookId: string, positions: readonly number[] | null): Promise<number> {
    const wanted = positions === null ? sqlPart`true` : sqlPart`position = ANY(${[...positions]}::bigint[])`;
    return transact(this.db, async (sql) => {
      await hold(sql, webhookId);
      const rows = await sql.$queryRaw<{ order_key: string }[]>`
        UPDATE webhook_delivery SET state = 'behind', attempts = 0, first_at = NULL
        WHERE webhook_id = ${webhookId} AND state = 'dead' AND position = ANY(ARRAY(
          SELECT position FROM webhook_delivery WHERE webhook_id = ${webhookId} AND state = 'dead' AND ${wanted}
          ORDER BY position LIMIT ${retriedAtOnce}))
        RETURNING order_key`;
      const keys = rows.map((row) => row.order_key);
      await goOn(sql, webhookId, await idle(sql, webhookId, keys));
      return rows.length;
    });
  }
}

/** Waits for who hands out events or settles others of the webhook: the next statement sees what they did. */
async function hold(sql: Sql, webhookId: string): Promise<void> {
  await sql.$queryRaw`SELECT id FROM webhook WHERE id = ${webhookId} FOR UPDATE`;
}

/** The keys of which no event is due. */
async function idle(sql: Sql, webhookId: string, keys: readonly string[]): Promise<string[]> {
  const rows = await sql.$queryRaw<{ key: string }[]>`
    SELECT key FROM unnest(${[...new Set(keys)]}::text[]) AS key WHERE NOT EXISTS (
      SELECT FROM webhook_delivery WHERE webhook_id = ${webhookId} AND order_key = key AND state = 'due')`;
  return rows.map(({ key }) => key);
}

/** Makes the first event of each key due, of which none is. */
async function goOn(sql: Sql, webhookId: string, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await sql.$executeRaw`
    UPDATE webhook_delivery SET state = 'due', next_at = now()
    FROM unnest(${[...keys]}::text[]) AS key CROSS JOIN LATERAL (
      SELECT position FROM webhook_delivery
      WHERE webhook_id = ${webhookId} AND order_key = key AND state IN ('due', 'behind') ORDER BY position LIMIT 1
    ) AS first
    WHERE webhook_id = ${webhookId} AND webhook_delivery.position = first.position`;
}
