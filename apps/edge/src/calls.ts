import {
  endpointOf,
  isNewWork,
  paceOf,
  repeatsOf,
  traceHeaders,
  type EndpointName,
  type OpenSpan,
  type Pace,
  type Service,
} from '@muster/contracts';
import type { Admission } from '@muster/platform/admission';
import type { CallerAddresses } from '@muster/platform/caller-address';
import type { ErrorLog } from '@muster/platform/error-log';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dispatcher } from 'undici';
import { NoAnswer, type Call, type Forwarder } from './forward.js';
import { passedOn } from './headers.js';
import { sendProblem } from './problem-reply.js';
import type { ReplicaSet } from './replica.js';
import { ReplyClient } from './reply-client.js';

/** Forwards calls to replicas, and answers if none does. */
export class Calls {
  /** Open long polls and streams. */
  open = 0;
  /** Those of players by address. */
  private readonly byAddress = new Map<string, number>();

  constructor(
    private readonly services: Readonly<Record<Service, ReplicaSet>>,
    private readonly forwarder: Pick<Forwarder, 'send'>,
    private readonly admission: Pick<Admission, 'timed'>,
    /** The maximum numbers of open long polls and streams, and the time in which a client must read what it is sent. */
    private readonly limits: {
      readonly open: number;
      readonly perAddress: number;
      readonly readWithinMs: number;
    },
    private readonly addresses: Pick<CallerAddresses, 'of' | 'trusts'>,
    private readonly errors: ErrorLog,
    private readonly spanOf: ((request: FastifyRequest) => OpenSpan | undefined) | null = null,
  ) {}

  /** Forwards one call of an endpoint. */
  async forward(name: EndpointName, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { service, status } = endpointOf(name);
    const pace = paceOf(name, request.query as Record<string, unknown>);
    const waits = pace === 'poll' || pace === 'stream';
    if (waits && this.open >= this.limits.open)
      return sendProblem(
        reply.header('retry-after', '1'),
        'too-busy',
        'The edge has reached its limit of open streams and long polls. Try again later.',
      );
    const address = waits && isOfPlayers(name) ? this.addresses.of(request) : null;
    if (address !== null && (this.byAddress.get(address) ?? 0) >= this.limits.perAddress)
      return sendProblem(
        reply.header('retry-after', '5'),
        'too-many-open',
        'Your address has reached its limit of open streams and long polls. Close one before you open another.',
      );
    const client = new ReplyClient(reply, this.limits.readWithinMs);
    if (waits) this.countUntilOver(reply, address);
    try {
      const call = callOf(name, request, pace, client, this.addresses.trusts(request));
      const span = this.spanOf?.(request);
      if (span) continueIn(span, call);
      const send = (): Promise<void> => this.forwarder.send(call, this.services[service]);
      if (isNewWork(name)) await this.admission.timed(send, () => reply.raw.statusCode === status);
      else await send();
      return reply;
    } catch (error) {
      if (client.isGone) return reply.hijack();
      if (!(error instanceof NoAnswer)) throw error;
      return this.noAnswer(service, error, reply);
    }
  }

  /** Until it is answered, or its connection is closed: the answer to a pipelined request may not hear of that. */
  private countUntilOver(
    {
      raw,
      request: {
        raw: { socket },
      },
    }: FastifyReply,
    address: string | null,
  ): void {
    this.open++;
    if (address !== null) this.byAddress.set(address, (this.byAddress.get(address) ?? 0) + 1);
    const over = (): void => {
      raw.off('finish', over);
      socket.off('close', over);
      this.open--;
      if (address === null) return;
      const others = (this.byAddress.get(address) ?? 1) - 1;
      if (others === 0) this.byAddress.delete(address);
      else this.byAddress.set(address, others);
    };
    raw.once('finish', over);
    socket.once('close', over);
  }

  private noAnswer(service: Service, error: NoAnswer, reply: FastifyReply): FastifyReply {
    this.errors.report(service, error.cause, `no replica of ${service} answered`);
    return sendProblem(
      reply.header('retry-after', '1'),
      'service-unreachable',
      error.isUncertain
        ? `The ${service} service did not answer, and the call may have taken effect: check before you repeat it.`
        : `No replica of the ${service} service answered. Trying again is safe: a call that took effect is not done twice.`,
    );
  }
}

/** The service continues the span of the edge, in place of what the client sent. */
function continueIn({ context }: OpenSpan, { headers }: Call): void {
  delete headers['tracestate'];
  Object.assign(headers, traceHeaders(context));
}

/** Game servers of one place share an address, and each holds a poll. */
const isOfPlayers = (name: EndpointName): boolean => endpointOf(name).callers.includes('player');

function callOf(
  name: EndpointName,
  request: FastifyRequest,
  pace: Pace,
  client: ReplyClient,
  isProxied: boolean,
): Call {
  const { method, body } = request;
  const sent =
    Buffer.isBuffer(body) && body.length > 0 && method !== 'GET' && method !== 'HEAD' ? body : null;
  return {
    method: method as Dispatcher.HttpMethod,
    path: request.raw.url ?? '/',
    headers: headersFor(name, request, sent !== null, isProxied),
    body: sent,
    pace,
    repeatable: isRepeatable(name),
    // A ticket that was created after the client heard of a failure holds its player, who does not know it.
    isAwaited: repeatsOf(name) === 'with-key',
    client,
  };
}

/** Whether a call may be sent to another replica after one may have executed it. Missing keys are generated. */
function isRepeatable(name: EndpointName): boolean {
  const repeats = repeatsOf(name);
  return repeats === 'safe' || repeats === 'with-key' || endpointOf(name).method !== 'POST';
}

function headersFor(
  name: EndpointName,
  { headers, socket }: FastifyRequest,
  hasBody: boolean,
  isProxied: boolean,
): Record<string, string | string[]> {
  const passed = passedOn(headers, hasBody ? written : writtenWithoutBody);
  // The edge's own key makes this call idempotent; the client does not see it.
  if (repeatsOf(name) === 'with-key') passed['idempotency-key'] ??= `edge-${crypto.randomUUID()}`;
  // What a client writes there itself is not passed on.
  const before = isProxied ? (headers['x-forwarded-for'] ?? []) : [];
  passed['x-forwarded-for'] = [before, socket.remoteAddress ?? []].flat().join(', ');
  return passed;
}

/** Headers of the forwarded request that are its own. */
const written: ReadonlySet<string> = new Set(['host', 'content-length', 'expect']);
const writtenWithoutBody: ReadonlySet<string> = new Set([...written, 'content-type']);
