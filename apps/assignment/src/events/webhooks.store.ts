import type { WebhookBody, WebhookView } from '@muster/contracts';
import { transact, type Db, type Sql } from '@muster/db';
import { secretsOf, type Secret } from './secrets.js';

type Row = Omit<WebhookView, 'oldSecretUntil'> & { secrets: readonly Secret[]; now: number };

/** Where events are sent. */
export class PostgresWebhooks {
  constructor(private readonly db: Db) {}

  async list(): Promise<WebhookView[]> {
    return (await rows(this.db.$sql, null)).map(asView);
  }

  async one(webhookId: string): Promise<WebhookView | null> {
    return one(this.db.$sql, webhookId);
  }

  /** Adds a webhook; it gets what is logged from then on. @returns null when there are as many as `most` */
  add(
    webhookId: string,
    body: WebhookBody,
    secrets: readonly Secret[],
    most: number,
  ): Promise<WebhookView | null> {
    const { url, types, note } = body;
    return transact(this.db, async (sql) => {
      // One at a time, and none while events are handed out.
      await sql.$queryRaw`SELECT last FROM event_bounds WHERE id = 1 FOR UPDATE`;
      await sql.$executeRaw`
        INSERT INTO webhook (id, url, types, note, secrets)
        SELECT ${webhookId}, ${url}, ${types}::text[], ${note}, ${JSON.stringify(secrets)}::jsonb
        WHERE (SELECT count(*) FROM webhook WHERE state <> 'deleted') < ${most}::int`;
      return one(sql, webhookId);
    });
  }

  /** @returns null when there is no such webhook */
  change(webhookId: string, { url, types, note }: WebhookBody): Promise<WebhookView | null> {
    return transact(this.db, async (sql) => {
      await sql.$executeRaw`
        UPDATE webhook SET url = ${url}, types = ${types}::text[], note = ${note}
        WHERE id = ${webhookId} AND state <> 'deleted'`;
      return one(sql, webhookId);
    });
  }

  /** @returns null when there is no such webhook */
  turn(webhookId: string, state: WebhookView['state']): Promise<WebhookView | null> {
    return transact(this.db, async (sql) => {
      await sql.$executeRaw`
        UPDATE webhook SET state = ${state}, paused_reason = NULL WHERE id = ${webhookId} AND state <> 'deleted'`;
      return one(sql, webhookId);
    });
  }

  /** Pauses a webhook whose receiver wants no more, unless it has another address by now. */
  async stop(webhookId: string, url: string, reason: string): Promise<void> {
    await this.db.$sql.$executeRaw`
      UPDATE webhook SET state = 'paused', paused_reason = ${reason}
      WHERE id = ${webhookId} AND url = ${url} AND state = 'active'`;
  }

  /**
   * Changes the secrets.
   *
   * @param change is given those that sign now, and the time
   * @returns null when there is no such webhook
   */
  rotate(
    webhookId: string,
    change: (secrets: readonly Secret[], now: number) => readonly Secret[],
  ): Promise<WebhookView | null> {
    return transact(this.db, async (sql) => {
      const [row] = await sql.$queryRaw<{ secrets: Secret[]; at: Date }[]>`
        SELECT secrets, now() AS at FROM webhook WHERE id = ${webhookId} AND state <> 'deleted' FOR UPDATE`;
      if (!row) return null;
      const now = row.at.getTime();
      const secrets = change(secretsOf(row.secrets, now), now);
      await sql.$executeRaw`
        UPDATE webhook SET secrets = ${JSON.stringify(secrets)}::jsonb WHERE id = ${webhookId}`;
      return one(sql, webhookId);
    });
  }

  /** The secrets that sign now. @returns null when there is no such webhook */
  async secrets(webhookId: string): Promise<string[] | null> {
    const [row] = await this.db.$sql.$queryRaw<{ secrets: Secret[]; at: Date }[]>`
      SELECT secrets, now() AS at FROM webhook WHERE id = ${webhookId} AND state <> 'deleted'`;
    return row ? secretsOf(row.secrets, row.at.getTime()).map(({ secret }) => secret) : null;
  }

  /** Deletes a webhook for callers; `clear` deletes its rows, of which there may be millions. */
  async delete(webhookId: string): Promise<void> {
    await this.db.$sql
      .$executeRaw`UPDATE webhook SET state = 'deleted', secrets = '[]' WHERE id = ${webhookId}`;
  }

  /** Deletes rows of deleted webhooks. @returns how many deliveries */
  async clear(limit: number): Promise<number> {
    const deleted = await this.db.$sql.$executeRaw`
      DELETE FROM webhook_delivery USING (
        SELECT webhook_id, position FROM webhook JOIN webhook_delivery ON webhook_id = webhook.id
        WHERE webhook.state = 'deleted' LIMIT ${limit}) AS part
      WHERE webhook_delivery.webhook_id = part.webhook_id AND webhook_delivery.position = part.position`;
    if (deleted < limit)
      await this.db.$sql.$executeRaw`
        DELETE FROM webhook WHERE state = 'deleted'
          AND NOT EXISTS (SELECT FROM webhook_delivery WHERE webhook_id = webhook.id)`;
    return deleted;
  }
}

async function one(sql: Sql, webhookId: string): Promise<WebhookView | null> {
  const [row] = await rows(sql, webhookId);
  return row ? asView(row) : null;
}

/** @param webhookId null for all */
function rows(sql: Sql, webhookId: string | null): Promise<Row[]> {
  return sql.$queryRaw<Row[]>`
    SELECT id AS "webhookId", url, types, note, state, paused_reason AS "pausedReason", secrets, floor(extract(epoch FROM now()) * 1000)::float8 AS now,
      floor(extract(epoch FROM created_at) * 1000)::float8 AS "createdAt",
      (SELECT count(*)::int FROM (SELECT FROM webhook_delivery
        WHERE webhook_id = webhook.id AND webhook_delivery.state IN ('due', 'behind') LIMIT 10000) AS open) AS open,
      (SELECT floor(extract(epoch FROM event_log.at) * 1000)::float8 FROM (SELECT position FROM webhook_delivery
        WHERE webhook_id = webhook.id AND webhook_delivery.state = 'due' ORDER BY next_at LIMIT 10000) AS due
        JOIN event_log ON event_log.position = due.position ORDER BY due.position LIMIT 1) AS "oldestOpenAt",
      (SELECT count(*)::int FROM (SELECT FROM webhook_delivery
        WHERE webhook_id = webhook.id AND webhook_delivery.state = 'dead' LIMIT 10000) AS letters) AS dead
    FROM webhook WHERE state <> 'deleted' AND (${webhookId}::text IS NULL OR id = ${webhookId}) ORDER BY created_at, id`;
}

function asView({ secrets, now, ...view }: Row): WebhookView {
  const old = secretsOf(secrets, now).find(({ until }) => until !== null);
  return { ...view, oldSecretUntil: old?.until ?? null };
}
