import { endpointOf, paceOf, repeatsOf, type EndpointName, type Pace, type Service } from '@muster/contracts';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type { Dispatcher } from 'undici';
import { NoAnswer, type Forwarder } from './forward.js';
import { passedOn } from './headers.js';
import { sendProblem } from './problem-reply.js';
import type { ReplicaSet } from './replica.js';

/** Forwards calls to replicas, and answers if none does. */
export class Calls {
  /** Open long polls and streams. */
  private open = 0;

  constructor(
    private readonly services: Readonly<Record<Service, ReplicaSet>>,
    private readonly forwarder: Pick<Forwarder, 'send'>,
    /** The maximum number of open long polls and streams. */
    private readonly maxOpen: number,
    private readonly log: FastifyBaseLogger,
  ) {}

  /** Forwards one call of an endpoint. */
  async forward(name: EndpointName, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { service } = endpointOf(name);
    const pace = paceOf(name, request.query as Record<string, unknown>);
    const waits = pace === 'poll' || pace === 'stream';
    if (waits && this.open >= this.maxOpen)
      return sendProblem(
        reply.header('retry-after', '1'),
        'too-busy',
        'The edge has reached its limit of open streams and long polls. Try again later.',
      );
    const left = hangUp(reply);
    if (waits) this.countUntilClosed(reply);
    try {
      const answer = await this.forwarder.send(callOf(name, request, pace, left), this.services[service]);
      return await reply.code(answer.statusCode).headers(passedOn(answer.headers)).send(answer.body);
    } catch (error) {
      if (left.aborted) return reply.hijack();
      if (!(error instanceof NoAnswer)) throw error;
      return this.noAnswer(service, error, request, reply);
    }
  }

  private countUntilClosed(reply: FastifyReply): void {
    this.open++;
    reply.raw.once('close', () => this.open--);
  }

  private noAnswer(
    service: Service,
    error: NoAnswer,
    { method, url }: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply {
    this.log.error({ err: error.cause, method, url }, `no replica of ${service} answered`);
    return sendProblem(
      reply.header('retry-after', '1'),
      'service-unreachable',
      error.isUncertain
        ? `The ${service} service did not answer, and the call may have taken effect: check before you repeat it.`
        : `No replica of the ${service} service answered. Trying again is safe.`,
    );
  }
}

function callOf(
  name: EndpointName,
  request: FastifyRequest,
  pace: Pace,
  left: AbortSignal,
): Parameters<Forwarder['send']>[0] {
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
    left,
  };
}

/** Aborts when the client hangs up, and, without effect, after the answer. */
function hangUp(reply: FastifyReply): AbortSignal {
  const left = new AbortController();
  reply.raw.once('close', () => left.abort());
  return left.signal;
}

/** Whether a call may be sent to another replica after one may have executed it. Missing keys are generated. */
function isRepeatable(name: EndpointName): boolean {
  const repeats = repeatsOf(name);
  return repeats === 'safe' || repeats === 'with-key' || endpointOf(name).method !== 'POST';
}

function headersFor(
  name: EndpointName,
  { headers }: FastifyRequest,
  hasBody: boolean,
): Record<string, string | string[]> {
  // `host` and `content-length` are those of the forwarded request.
  const written = ['host', 'content-length', 'expect', ...(hasBody ? [] : ['content-type'])];
  const passed = passedOn(headers, written);
  // The edge's own key makes this call idempotent; the client does not see it.
  if (repeatsOf(name) === 'with-key') passed['idempotency-key'] ??= `edge-${crypto.randomUUID()}`;
  return passed;
}
