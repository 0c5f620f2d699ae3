import type { MusterEvent } from '@muster/contracts';
import { createHmac, randomBytes } from 'node:crypto';
import type { Reply } from './attempts.js';

const secretPrefix = 'whsec_';

/** Makes a secret, in the form of Standard Webhooks. */
export const makeSecret = (): string => `${secretPrefix}${randomBytes(32).toString('base64')}`;

/** The signature of a message by Standard Webhooks: id, time and body cannot be changed by others. */
export function signatureOf(secret: string, id: string, seconds: number, body: string): string {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
}

/** Sends events to receivers. It follows no redirect: an event must not reach another address. */
export class WebhookSender {
  /** @param timeoutMs the limit of an attempt, the response included */
  constructor(
    private readonly timeoutMs: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** Makes one attempt. @param secrets each adds a signature */
  async send(url: string, secrets: readonly string[], event: MusterEvent): Promise<Reply> {
    const body = JSON.stringify(event);
    const seconds = Math.floor(this.now() / 1000);
    try {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Muster',
          'webhook-id': event.id,
          'webhook-timestamp': String(seconds),
          'webhook-signature': secrets
            .map((secret) => signatureOf(secret, event.id, seconds, body))
            .join(' '),
        },
        body,
        signal: AbortSignal.timeout(this.timeoutMs),
      });
      // What a receiver says beside its status is not read.
      await response.body?.cancel();
      return { status: response.status, error: null, retryAfterMs: secondsOf(response.headers) };
    } catch (error) {
      return { status: null, error: `no answer: ${reasonOf(error)}`, retryAfterMs: null };
    }
  }
}

function secondsOf(headers: Headers): number | null {
  const text = headers.get('retry-after') ?? '';
  return /^\d{1,6}$/.test(text) ? Number(text) * 1000 : null;
}

/** `fetch failed` says nothing: its cause does. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return cause.message || String(Reflect.get(cause, 'code') ?? error.message);
}
