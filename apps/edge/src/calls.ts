import { endpointOf, paceOf, repeatsOf, type EndpointName, type Pace, type Service } from '@muster/contracts';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type { Dispatcher } from 'undici';
import { NoAnswer, type Forwarder } from './forward.js';
import { passedOn } from './headers.js';
import { sendProblem } from './problem-reply.js';
import type { ReplicaSet } from './replica.js';

/** Forwards calls to the replicas of their services, and answers for those that do not. */
export class Calls {
  /** Long polls and streams that are open. */
  private open = 0;

  constructor(
    private readonly services: Readonly<Record<Service, ReplicaSet>>,
    private readonly forwarder: Pick<Forwarder, 'send'>,
    /** Long polls and streams that may be open at once. */
    private readonly mostOpen: number,
    private readonly log: FastifyBaseLogger,
  ) {}

  /** Forwards one call of an endpoint. */
  async forward(name: EndpointName, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { service } = endpointOf(name);
    const pace = paceOf(name, request.query as Record<string, unknown>);
    const waits = pace === 'poll' || pace === 'stream';
    if (waits && this.open >= this.mostOpen)
      return sendProblem(
        reply.header('retry-after', '1'),
        'too-busy',
        'The edge holds as many streams and long polls open as it may. Try again in a moment.',
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
        ? `The ${service} service did not answer, and the call may have taken effect: look before you repeat it.`
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

/** Fires when the client hangs up, and after its answer, when nobody minds. */
function hangUp(reply: FastifyReply): AbortSignal {
  const left = new AbortController();
  reply.raw.once('close', () => left.abort());
  return left.signal;
}

/** Whether a call can be sent to another replica once one may have carried it out. Keys are made up where none came. */
function isRepeatable(name: EndpointName): boolean {
  const repeats = repeatsOf(name);
  return repeats === 'safe' || repeats === 'with-key' || endpointOf(name).method !== 'POST';
}

function headersFor(
  name: EndpointName,
  { headers }: FastifyRequest,
  hasBody: boolean,
): Record<string, string | string[]> {
  // The host is the replica's own, and the length that of what is sent.
  const written = ['host', 'content-length', 'expect', ...(hasBody ? [] : ['content-type'])];
  const passed = passedOn(headers, written);
  // A key of the edge's own makes this one call safe to repeat; the client cannot use it, and misses nothing by it.
  if (repeatsOf(name) === 'with-key') passed['idempotency-key'] ??= `edge-${crypto.randomUUID()}`;
  return passed;
}
