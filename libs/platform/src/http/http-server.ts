import { problem, problemContentType, type Problem } from '@muster/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

export { limitConnections, limitPerAddress } from './connection-limit.js';

const bodyLimitBytes = 64 * 1024;
/**
 * The length of the accept queue. Many clients connect at once after an outage; Node's default of 511 made most of them
 * retry.
 */
export const listenBacklog = 4_096;
/** The maximum delay until a time-out is noticed, in milliseconds. */
const maxCheckMs = 5_000;

/** Fields of a header. Proxies add a dozen to those of a browser. */
const mostFields = 100;
/** Parameters of a query; no call takes half as many. */
const mostParameters = 64;

/** Headers of every answer of the API: no type sniffing, no caching. */
export const answerHeaders = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' } as const;

/**
 * Fastify options that services and the edge share. They close idle and slow connections. Node checks at intervals, so a connection may last for `requestMs` plus one
 * interval: a fifth of it, at most 5 s.
 *
 * @param requestMs for a whole request, header and body, from its first byte or, without one, from the opening of the
 *   connection
 * @param keepAliveMs for the next request on an idle connection
 */
export function connectionOptions({
  requestMs,
  keepAliveMs,
}: {
  readonly requestMs: number;
  readonly keepAliveMs: number;
}) {
  return {
    bodyLimit: bodyLimitBytes,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    http: {
      requestTimeout: requestMs,
      headersTimeout: requestMs,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: Math.min(maxCheckMs, Math.ceil(requestMs / 5)),
    },
    clientErrorHandler: answerClientError,
  };
}

/** An `onRequest` hook: sets the headers of every answer, and rejects targets that are not a path, and heads of too many parts. */
export function guardRequest({ raw }: FastifyRequest, reply: FastifyReply, done: () => void): void {
  void reply.headers(answerHeaders);
  const flaw = flawOfHead(raw.url ?? '', raw.rawHeaders.length / 2);
  if (flaw === null) return done();
  void reply.status(flaw.status).header('content-type', problemContentType).send(flaw);
}

function flawOfHead(url: string, fields: number): Problem | null {
  if (!url.startsWith('/'))
    return problem(
      'invalid-request',
      'The request target must be a path that begins with "/": this server is not a proxy.',
    );
  if (fields > mostFields)
    return problem(
      'headers-too-large',
      `The request has ${fields} header fields: ${mostFields} is the limit.`,
    );
  const query = url.indexOf('?');
  if (query >= 0 && partsOf(url, query) > mostParameters)
    return problem('invalid-request', `The query has too many parameters: ${mostParameters} is the limit.`);
  return null;
}

/** The parts of a query, counted no further than it matters. */
function partsOf(url: string, from: number): number {
  let count = 1;
  for (let at = url.indexOf('&', from); at >= 0 && count <= mostParameters; at = url.indexOf('&', at + 1))
    count++;
  return count;
}

function problemOfClientError(error: Error): Problem {
  switch ('code' in error ? error.code : '') {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return problem(
        'request-timeout',
        'The request was not complete in time. Send it again without pauses.',
      );
    case 'HPE_HEADER_OVERFLOW':
      return problem('headers-too-large', 'The header of the request is too large: 16 KiB is the limit.');
    default:
      return problem('invalid-request', 'The request could not be read as HTTP/1.1.');
  }
}

/** Answers requests that Node could not parse, which never reach a handler. */
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
    `HTTP/1.1 ${document.status} ${STATUS_CODES[document.status] ?? ''}\r\n${lines.join('')}\r\n${body}`,
  );
  // Destroys the socket of a peer that never reads its answer.
  setTimeout(() => socket.destroy(), 1_000).unref();
}

/** Whether an answer has begun on this socket. Node reads the same internal field before it answers a bad request. */
function hasAnswered(socket: Socket): boolean {
  const message: unknown = Reflect.get(socket, '_httpMessage');
  return typeof message === 'object' && message !== null && Reflect.get(message, 'headersSent') === true;
}
