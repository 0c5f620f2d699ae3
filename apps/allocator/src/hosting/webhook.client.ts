import type {
  AllocationRequest,
  HeldAllocations,
  ProviderAnswer,
  ReleaseAnswer,
  ServerProvider,
  Unavailable,
} from '@muster/domain';
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { HttpCall, HttpCaller, HttpReply } from './http-call.client.js';

const RetryAfterSeconds = z.number().min(0).max(3_600).optional();
/** What an endpoint answers to `POST` and `GET`. Further fields are ignored. */
const Answer = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('allocated'),
    serverId: z.string().min(1).max(64).optional(),
    host: z.string().min(1).max(253),
    port: z.number().int().min(1).max(65_535),
  }),
  z.object({ state: z.literal('pending'), retryAfterSeconds: RetryAfterSeconds }),
  z.object({ state: z.literal('failed'), reason: z.string().min(1).max(1_000) }),
]);
const List = z.object({
  allocations: z.array(z.object({ id: z.string() })).max(1_000),
  next: z.string().nullable().default(null),
});

export interface WebhookSettings {
  /** Asked by `POST`; with the id of an allocation after it, by `GET` and `DELETE`. */
  readonly url: string;
  /** Sent as a bearer token. */
  readonly token?: string | undefined;
  /** Signs requests. */
  readonly secret?: string | undefined;
  /** Whether the endpoint lists the allocations that it holds. */
  readonly list: boolean;
  readonly realm: string;
}

/** Signs a request: the time, the method, the path with its query and the body cannot be changed by others. */
export function signatureOf(
  secret: string,
  seconds: number,
  method: string,
  target: string,
  body: string,
): string {
  const digest = createHmac('sha256', secret).update(`${seconds}.${method}.${target}.${body}`).digest('hex');
  return `t=${seconds},v1=${digest}`;
}

/** Asks an endpoint of a studio or hoster for servers. */
export class WebhookProvider implements ServerProvider {
  readonly list: ((cursor: string | null) => Promise<HeldAllocations>) | undefined;

  constructor(
    private readonly settings: WebhookSettings,
    private readonly caller: Pick<HttpCaller, 'call'>,
    private readonly now: () => number = Date.now,
  ) {
    this.list = settings.list ? (cursor) => this.held(cursor) : undefined;
  }

  async ask({ id, build, region, reason }: AllocationRequest): Promise<ProviderAnswer> {
    const body = JSON.stringify({ id, build, region, reason, realm: this.settings.realm });
    return answerOf(await this.send({ method: 'POST', url: this.at(), body }));
  }

  /** An endpoint that does not know the id is asked for a server again. */
  async poll(request: AllocationRequest): Promise<ProviderAnswer> {
    const reply = await this.send({ method: 'GET', url: this.at(request.id) });
    return 'status' in reply && reply.status === 404 ? this.ask(request) : answerOf(reply);
  }

  async release({ id }: AllocationRequest): Promise<ReleaseAnswer> {
    const reply = await this.send({ method: 'DELETE', url: this.at(id) });
    if (!('status' in reply)) return reply;
    const { status } = reply;
    return (status >= 200 && status < 300) || status === 404 || status === 410
      ? { state: 'released' }
      : refused(reply);
  }

  private async held(cursor: string | null): Promise<HeldAllocations> {
    const url = this.at();
    url.searchParams.set('realm', this.settings.realm);
    if (cursor !== null) url.searchParams.set('cursor', cursor);
    const reply = await this.send({ method: 'GET', url });
    if (!('status' in reply)) throw new Error(reply.error);
    if (reply.status !== 200) throw new Error(refused(reply).error);
    const { allocations, next } = List.parse(JSON.parse(reply.text));
    return { ids: allocations.map(({ id }) => id), next };
  }

  private async send(call: HttpCall): Promise<HttpReply | Unavailable> {
    const { token, secret } = this.settings;
    const { method, url, body = '' } = call;
    const target = `${url.pathname}${url.search}`;
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(secret === undefined
        ? {}
        : {
            'muster-signature': signatureOf(secret, Math.floor(this.now() / 1000), method, target, body),
          }),
    };
    try {
      return await this.caller.call({ ...call, headers });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { state: 'unavailable', error: `the endpoint cannot be asked: ${why}`, retryAfterMs: null };
    }
  }

  private at(id?: string): URL {
    const url = new URL(this.settings.url);
    if (id !== undefined) url.pathname = `${url.pathname.replace(/\/$/, '')}/${id}`;
    return url;
  }
}

function answerOf(reply: HttpReply | Unavailable): ProviderAnswer {
  if (!('status' in reply)) return reply;
  if (reply.status < 200 || reply.status > 299) return refused(reply);
  let read: unknown;
  try {
    read = JSON.parse(reply.text);
  } catch {
    return unusable(reply.status, 'it is not JSON');
  }
  const parsed = Answer.safeParse(read);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return unusable(reply.status, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
  }
  const answer = parsed.data;
  if (answer.state === 'failed') return { state: 'failed', error: answer.reason };
  if (answer.state === 'pending') {
    const { retryAfterSeconds } = answer;
    const asked = retryAfterSeconds === undefined ? null : retryAfterSeconds * 1000;
    return { state: 'pending', retryAfterMs: asked ?? reply.retryAfterMs };
  }
  const { host, port, serverId = null } = answer;
  return { state: 'allocated', serverId, host, port };
}

function refused({ status, retryAfterMs }: HttpReply): Unavailable {
  const isBusy = status === 429 || status === 503;
  return {
    state: 'unavailable',
    error: `the endpoint answered ${status}`,
    retryAfterMs: isBusy ? retryAfterMs : null,
  };
}

const unusable = (status: number, why: string): Unavailable => ({
  state: 'unavailable',
  error: `the endpoint answered ${status} with a body that cannot be used: ${why}`,
  retryAfterMs: null,
});
