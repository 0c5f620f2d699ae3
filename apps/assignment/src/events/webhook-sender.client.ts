import type { MusterEvent } from '@muster/contracts';
import { createHmac, randomBytes } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { finished } from 'node:stream/promises';
import type { Reply } from './attempts.js';
import type { ReceiverNetworks } from './receiver-networks.client.js';

const secretPrefix = 'whsec_';
/** What is read of a response. */
const bodyBytes = 16_384;

/** Makes a secret, in the form of Standard Webhooks. */
export const makeSecret = (): string => `${secretPrefix}${randomBytes(32).toString('base64')}`;

/** The signature of a message by Standard Webhooks: id, time and body cannot be changed by others. */
export function signatureOf(secret: string, id: string, seconds: number, body: string): string {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
}

/** What a sender needs. */
export interface SenderNeeds {
  readonly networks: ReceiverNetworks;
  /** The limit of an attempt, the response included. */
  readonly timeoutMs: number;
  readonly now: () => number;
  readonly lookup?: (host: string) => Promise<LookupAddress[]>;
}

/**
 * Sends events to receivers. It follows no redirect: an event must not reach another address. `fetch` would reach any: a name
 * is checked when it is looked up, and the connection goes to the address that was checked.
 */
export class WebhookSender {
  /** A slow resolver holds one of the few threads for each lookup: a name is looked up once at a time. */
  private readonly lookups = new Map<string, Promise<LookupAddress[]>>();
  private readonly agents: { readonly 'http:': HttpAgent; readonly 'https:': HttpsAgent };

  constructor(private readonly has: SenderNeeds) {
    this.agents = {
      'http:': new HttpAgent({ keepAlive: true, lookup: this.lookupFor(false) }),
      'https:': new HttpsAgent({ keepAlive: true, lookup: this.lookupFor(true) }),
    };
  }

  /** Makes one attempt. @param secrets each adds a signature */
  send(url: string, secrets: readonly string[], event: MusterEvent): Promise<Reply> {
    const { networks, timeoutMs, now } = this.has;
    const target = new URL(url);
    const objection = networks.objectionTo(target);
    if (objection !== null) return Promise.resolve(noAnswer(`the address ${objection}`));
    const body = JSON.stringify(event);
    const seconds = Math.floor(now() / 1000);
    const isSecure = target.protocol === 'https:';
    const options = {
      method: 'POST',
      agent: this.agents[isSecure ? 'https:' : 'http:'],
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Muster',
        'webhook-id': event.id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': secrets.map((secret) => signatureOf(secret, event.id, seconds, body)).join(' '),
      },
      signal: AbortSignal.timeout(timeoutMs),
    };
    return new Promise((resolve) => {
      const begin = isSecure ? httpsRequest : httpRequest;
      let isAnswered = false;
      const request = begin(target, options, (response) => {
        isAnswered = true;
        void answerOf(response, now()).then(resolve);
      });
      request.on('error', (error) => isAnswered || resolve(noAnswer(reasonOf(error))));
      request.end(body);
    });
  }

  /** Ends connections that wait for the next event. */
  close(): void {
    for (const agent of Object.values(this.agents)) agent.destroy();
  }

  private lookupFor(isSecure: boolean): LookupFunction {
    return (host, { all }, done) => {
      this.addressesOf(host, isSecure).then(
        ([first, ...others]) => {
          if (!first) throw new Error(`${host} has no address`);
          if (all) done(null, [first, ...others]);
          else done(null, first.address, first.family);
        },
        (error: NodeJS.ErrnoException) => done(error, []),
      );
    };
  }

  private async addressesOf(host: string, isSecure: boolean): Promise<LookupAddress[]> {
    const found = await this.lookUp(host);
    const allowed = found.filter(({ address }) => this.has.networks.allows(address, isSecure));
    const [refused] = found;
    if (allowed.length === 0 && refused) throw new Error(this.has.networks.refusal(refused.address));
    return allowed;
  }

  private lookUp(host: string): Promise<LookupAddress[]> {
    const { lookup: find = (name: string) => lookup(name, { all: true }) } = this.has;
    const found = this.lookups.get(host) ?? find(host).finally(() => this.lookups.delete(host));
    this.lookups.set(host, found);
    return found;
  }
}

const noAnswer = (why: string): Reply => ({ status: null, error: `no answer: ${why}`, retryAfterMs: null });

/** Its status counts; its body is read a little, so that the connection serves the next event. */
async function answerOf(response: IncomingMessage, now: number): Promise<Reply> {
  let read = 0;
  response.on('data', (part: Buffer) => {
    if ((read += part.length) > bodyBytes) response.destroy();
  });
  // A time-out after the status: it counts nevertheless.
  await finished(response).catch(() => undefined);
  const { statusCode = 0, headers } = response;
  return { status: statusCode, error: null, retryAfterMs: pauseIn(headers['retry-after'] ?? '', now) };
}

/** `Retry-After` has seconds or a date. */
function pauseIn(text: string, now: number): number | null {
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return ms > 0 ? ms : null;
}

function reasonOf(error: Error): string {
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'it took too long';
  // Of several addresses, each failed.
  if (error instanceof AggregateError) return error.errors.map((each: Error) => each.message).join(', ');
  return error.message;
}
