import { problem, problemContentType, type ProblemCode } from '@muster/contracts';
import { answerHeaders } from '@muster/platform/http-server';
import type { FastifyReply } from 'fastify';

/** Answers a call with a problem document of the edge. */
export function sendProblem(reply: FastifyReply, code: ProblemCode, detail: string): FastifyReply {
  const document = problem(code, detail);
  return reply
    .status(document.status)
    .headers({ ...answerHeaders, 'content-type': problemContentType })
    .send(JSON.stringify({ ...document, instance: reply.request.url.split('?')[0] }));
}
