import { problem, problemContentType, problems, type Problem, type ProblemCode } from '@muster/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServerOptions } from 'node:http';
import type { Socket } from 'node:net';

/** How long a connection may take. */
export interface ConnectionLimits {
  /** For a whole request, header and body, from its first byte or, without one, from the opening of the connection. */
  readonly requestMs: number;
  /** For the next request on a connection that is kept. */
  readonly keepAliveMs: number;
}

/** Options of Fastify that services and the edge share. */
export interface ConnectionOptions {
  readonly bodyLimit: number;
  readonly requestTimeout: number;
  readonly keepAliveTimeout: number;
  readonly http: ServerOptions;
  readonly clientErrorHandler: (error: Error, socket: Socket) => void;
}

export const bodyLimitBytes = 64 * 1024;
/** Connections that wait to be taken. Many clients connect at once after an outage; Node's 511 made most of them try again. */
export const listenBacklog = 4_096;
/** How late a timeout may be noticed, in milliseconds. */
const checkAtMostMs = 5_000;

/** What every answer of the API carries: no browser guesses its type, no cache keeps it. */
export const answerHeaders = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' } as const;

/**
 * Ends connections that say nothing or say it too slowly. Node looks at intervals, so a connection may last for `requestMs` and
 * an interval more: a fifth of it, and 5 s at most.
 */
export function connectionOptions({ requestMs, keepAliveMs }: ConnectionLimits): ConnectionOptions {
  return {
    bodyLimit: bodyLimitBytes,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    http: {
      requestTimeout: requestMs,
      headersTimeout: requestMs,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: Math.min(checkAtMostMs, Math.ceil(requestMs / 5)),
    },
    clientErrorHandler: answerClientError,
  };
}

/** For a hook `onRequest`: sets the headers of every answer, and refuses targets that are no path. */
export function guardRequest(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  void reply.headers(answerHeaders);
  if (request.raw.url?.startsWith('/')) return done();
  const detail = 'The request target must be a path that begins with "/": this server is no proxy.';
  void reply.status(400).header('content-type', problemContentType).send(problem('invalid-request', detail));
}

function problemOfClientError(error: Error): Problem {
  const said = (code: ProblemCode, detail: string): Problem => problem(code, detail);
  switch ('code' in error ? error.code : '') {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return said(
        'request-timeout',
        'The request was not complete in time. Send it again, all of it at once.',
      );
    case 'HPE_HEADER_OVERFLOW':
      return said('headers-too-large', 'The header of the request is too large: 16 KiB is the limit.');
    default:
      return said('invalid-request', 'The request could not be read as HTTP/1.1.');
  }
}

/** Answers what Node could not read as a request, so that no handler ever sees it. */
function answerClientError(error: Error, socket: Socket): void {
  if (!socket.writable || hasAnswered(socket)) return void socket.destroy();
  const document = problemOfClientError(error);
  const body = JSON.stringify(document);
  const head = {
    'content-type': problemContentType,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    ...answerHeaders,
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${document.status} ${reasons.get(document.status) ?? ''}\r\n${lines.join('')}\r\n${body}`,
  );
  // A peer that never reads its answer must not keep the socket.
  setTimeout(() => socket.destroy(), 1_000).unref();
}

const reasons = new Map<number, string>([
  [problems['request-timeout'].status, 'Request Timeout'],
  [problems['headers-too-large'].status, 'Request Header Fields Too Large'],
  [problems['invalid-request'].status, 'Bad Request'],
]);

/** Whether an answer has begun on this socket. Node itself asks its own field for that before it answers a bad request. */
function hasAnswered(socket: Socket): boolean {
  const message: unknown = Reflect.get(socket, '_httpMessage');
  return typeof message === 'object' && message !== null && Reflect.get(message, 'headersSent') === true;
}
