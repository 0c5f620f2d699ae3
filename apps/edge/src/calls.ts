import {
  endpointOf,
  paceOf,
  repeatsOf,
  traceHeaders,
  type EndpointName,
  type OpenSpan,
  type Pace,
  type Service,
} from '@muster/contracts';
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

  constructor(
    private readonly services: Readonly<Record<Service, ReplicaSet>>,
    private readonly forwarder: Pick<Forwarder, 'send'>,
    /** The maximum number of open long polls and streams, and the time in which a client must read what it is sent. */
    private readonly limits: { readonly open: number; readonly readWithinMs: number },
    private readonly errors: ErrorLog,
    private readonly spanOf: ((request: FastifyRequest) => OpenSpan | undefined) | null = null,
  ) {}

  /** Forwards one call of an endpoint. */
  async forward(name: EndpointName, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { service } = endpointOf(name);
    const pace = paceOf(name, request.query as Record<string, unknown>);
    const waits = pace === 'poll' || pace === 'stream';
    if (waits && this.open >= this.limits.open)
      return sendProblem(
        reply.header('retry-after', '1'),
        'too-busy',
        'The edge has reached its limit of open streams and long polls. Try again later.',
      );
    const client = new ReplyClient(reply, this.limits.readWithinMs);
    if (waits) this.countUntilOver(reply);
    try {
      const call = callOf(name, request, pace, client);
      const span = this.spanOf?.(request);
      if (span) continueIn(span, call);
      await this.forwarder.send(call, this.services[service]);
      return reply;
    } catch (error) {
      if (client.isGone) return reply.hijack();
      if (!(error instanceof NoAnswer)) throw error;
      return this.noAnswer(service, error, reply);
    }
  }

  /** Until it is answered, or its connection is closed: the answer to a pipelined request may not hear of that. */
  private countUntilOver({
    raw,
    request: {
      raw: { socket },
    },
  }: FastifyReply): void {
    this.open++;
    const over = (): void => {
      raw.off('finish', over);
      socket.off('close', over);
      this.open--;
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

function callOf(name: EndpointName, request: FastifyRequest, pace: Pace, client: ReplyClient): Call {
  const { method, body } = request;
  const sent =
    Buffer.isBuffer(body) && body.length > 0 && method !== 'GET' && method !== 'HEAD' ? body : null;
  return {
    method: method as Dispatcher.HttpMethod,
    path: request.raw.url ?? '/',
    headers: headersFor(name, request, sent !== null),
    body: sent,
    pace,
    repeatable: isRepeatable(name),
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
): Record<string, string | string[]> {
  const passed = passedOn(headers, hasBody ? written : writtenWithoutBody);
  // The edge's own key makes this call idempotent; the client does not see it.
  if (repeatsOf(name) === 'with-key') passed['idempotency-key'] ??= `edge-${crypto.randomUUID()}`;
  passed['x-forwarded-for'] = [headers['x-forwarded-for'] ?? [], socket.remoteAddress ?? []]
    .flat()
    .join(', ');
  return passed;
}

/** Headers of the forwarded request that are its own. */
const written: ReadonlySet<string> = new Set(['host', 'content-length', 'expect']);
const writtenWithoutBody: ReadonlySet<string> = new Set([...written, 'content-type']);
