import { isProblemCode, problem, problemContentType, type Problem } from '@muster/contracts';
import { own, MusterError } from '@muster/domain';
import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from './logging.js';
import { isContended, isStoreAway } from './store-away.js';

/** A request whose shape is wrong, with each place and what was expected there. */
export class InvalidRequest extends MusterError {
  readonly code = 'invalid-request';
}

/** How long a client shall wait before it tries again, by problem; one whose facts say `retryAfterSeconds` knows better. */
const retryAfterSeconds: Readonly<Record<string, number>> = {
  'too-busy': 1,
  'too-many-open': 5,
  'rating-unavailable': 2,
  'match-unavailable': 2,
  'store-unavailable': 2,
};

/** Turns every error into a problem document. The only place where errors meet HTTP. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly log: Log) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const document = toProblem(error);
    if (document.status >= 500)
      this.log.error({ err: error, url: request.url, method: request.method }, document.detail);
    if (reply.raw.headersSent || reply.raw.destroyed) return;
    const code = document.type.slice(document.type.lastIndexOf(':') + 1);
    const told = document['retryAfterSeconds'];
    const pause = typeof told === 'number' ? told : own(retryAfterSeconds, code);
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

/** What a caller is told of an error. Never a stack, never another service's words. */
export function toProblem(error: unknown): Problem {
  if (error instanceof MusterError && isProblemCode(error.code))
    return problem(error.code, error.message, error.facts);
  const status = statusOf(error);
  if (status === 413) return problem('body-too-large', 'The body is larger than 64 KiB. Send less at once.');
  if (status === 415) return problem('media-type-not-supported', 'Send the body as application/json.');
  if (status === 404)
    return problem('not-found', 'No call answers at this path; see /docs for those that do.');
  if (status === 400)
    return problem('malformed-json', `The body could not be read as JSON: ${messageOf(error)}.`);
  if (isStoreAway(error))
    return problem(
      'store-unavailable',
      'A store cannot be reached, or takes nothing right now. Try again in a moment: repeating the same call is safe.',
    );
  if (isContended(error))
    return problem(
      'store-unavailable',
      'Others changed the same thing at the same moment, again and again. Try again in a moment: repeating the same call is safe.',
    );
  return problem(
    'internal-error',
    'Something went wrong on our side; it is in the log. Trying again is safe.',
  );
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
