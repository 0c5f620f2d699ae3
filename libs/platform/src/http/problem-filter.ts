import {
  isProblemCode,
  noMeter,
  problem,
  problemContentType,
  type Meter,
  type Problem,
} from '@muster/contracts';
import { own, MusterError } from '@muster/domain';
import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ErrorLog } from '../core/error-log.js';
import type { Log } from '../core/logging.js';
import { isContended, isStoreUnavailable } from '../core/store-unavailable.js';

/** An invalid request, with the path and the expectation of each error. */
export class InvalidRequest extends MusterError {
  readonly code = 'invalid-request';
}

/** The default `Retry-After` by problem; `retryAfterSeconds` in an error's facts overrides it. */
const retryAfterSeconds: Readonly<Record<string, number>> = {
  'too-busy': 1,
  'queue-paused': 60,
  maintenance: 60,
  'too-many-requests': 1,
  'too-many-open': 5,
  'login-unavailable': 5,
  'rating-unavailable': 2,
  'match-unavailable': 2,
  'not-replicated': 1,
  'tickets-recovering': 1,
  'leaderboard-unavailable': 1,
  'standings-unavailable': 1,
  'store-unavailable': 2,
};

/** Converts every error to a problem document. Only this class maps errors to HTTP. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  /** A busy service refuses hundreds of calls a second: a line for each would cost more than the refusal. */
  private readonly refusals: ErrorLog;

  constructor(
    private readonly log: Pick<Log, 'error' | 'warn'>,
    private readonly meter: Meter = noMeter,
  ) {
    this.refusals = new ErrorLog(log);
  }

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const document = toProblem(error);
    const code = document.type.slice(document.type.lastIndexOf(':') + 1);
    this.meter.count('problems', { problem: code });
    if (code === 'internal-error')
      this.log.error(
        { err: error, path: request.url.split('?')[0], method: request.method },
        document.detail,
      );
    else if (document.status >= 500) this.refusals.report(`calls (${code})`, error);
    if (reply.raw.headersSent || reply.raw.destroyed) return;
    const facts = document['retryAfterSeconds'];
    const pause = typeof facts === 'number' ? facts : own(retryAfterSeconds, code);
    if (pause !== undefined) void reply.header('retry-after', String(pause));
    sendProblem(reply, document);
  }
}

export function sendProblem(reply: FastifyReply, document: Problem): void {
  void reply
    .status(document.status)
    .header('content-type', problemContentType)
    .send({ ...document, instance: reply.request.url.split('?')[0] });
}

/** The problem document of an error. It never contains a stack trace or another service's message. */
export function toProblem(error: unknown): Problem {
  if (error instanceof MusterError && isProblemCode(error.code))
    return problem(error.code, error.message, error.facts);
  const status = statusOf(error);
  if (status === 413)
    return problem('body-too-large', 'The body is larger than 64 KiB. Send less at a time.');
  if (status === 415) return problem('media-type-not-supported', 'Send the body as application/json.');
  if (status === 404) return problem('not-found', 'There is no such path; see /docs for all paths.');
  if (status === 400)
    return problem('malformed-json', `The body could not be read as JSON: ${messageOf(error)}.`);
  if (isStoreUnavailable(error))
    return problem(
      'store-unavailable',
      'A store is unavailable. Try again later: repeating the same call is safe.',
    );
  if (isContended(error))
    return problem(
      'store-unavailable',
      'The call conflicted with concurrent changes at every attempt. Try again later: repeating the same call is safe.',
    );
  return problem('internal-error', 'An unexpected error occurred; it is logged. Trying again is safe.');
}

function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  if (error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number')
    return error.statusCode;
  return undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, '') : 'unknown reason';
}
