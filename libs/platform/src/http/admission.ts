import { problem, problemContentType } from '@muster/contracts';
import {
  decideArrival,
  noteAnswer,
  openAdmission,
  TooBusy,
  type AdmissionRules,
  type AdmissionState,
} from '@muster/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerHeaders } from './http-server.js';

const text = 'More new work arrives than is held: what is taken is served first. Nothing was done.';

export { admissionRules, defaultDelayMs } from '@muster/domain';

/**
 * Refuses new work of a busy process, such as new tickets, before its delay grows: see `decideArrival`. A refusal comes before the
 * caller is authenticated and the body is read. Under overload most calls are refused, and if a refusal cost as much as the call,
 * nothing would be left for what was taken. Calls for work that was taken are never refused here.
 */
export class Admission {
  private state: AdmissionState;
  private inProgress = 0;

  constructor(
    private readonly rules: AdmissionRules,
    private readonly now: () => number = () => performance.now(),
    private readonly random: () => number = Math.random,
  ) {
    this.state = openAdmission(rules, now());
  }

  /** @returns null for a call that may go on, otherwise after how many seconds its caller may return */
  refusal(): number | null {
    const { inProgress, random } = this;
    const answer = decideArrival(this.state, this.rules, { inProgress, now: this.now(), random: random() });
    this.state = answer.state;
    // Rounded up or down by chance: those who arrive at once return in different seconds, after this time on average.
    return answer.admitted ? null : Math.max(1, Math.floor(answer.waitMs / 1_000 + random()));
  }

  /** Does new work. @throws TooBusy instead, if too much is in progress */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const retryAfterSeconds = this.refusal();
    if (retryAfterSeconds !== null) throw new TooBusy(text, { retryAfterSeconds });
    return this.timed(work, () => true);
  }

  /** Does work that was admitted. @param isDone whether it is of the kind whose delay counts: a quick error hides a queue */
  async timed<T>(work: () => Promise<T>, isDone: (result: T) => boolean): Promise<T> {
    const began = this.now();
    this.inProgress++;
    try {
      const result = await work();
      const { inProgress } = this;
      const now = this.now();
      if (isDone(result))
        this.state = noteAnswer(this.state, this.rules, { delayMs: now - began, inProgress, now });
      return result;
    } finally {
      this.inProgress--;
    }
  }
}

/** An `onRequest` hook: answers calls that the admission refuses. @param refused called for each of them */
export function refusing(admission: Pick<Admission, 'refusal'>, refused: (error: TooBusy) => void) {
  // One for all: to make an error costs as much as the answer.
  const error = new TooBusy(text);
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const retryAfterSeconds = admission.refusal();
    if (retryAfterSeconds === null) return done();
    refused(error);
    const document = problem('too-busy', text, { retryAfterSeconds });
    void reply
      .status(document.status)
      .headers({
        ...answerHeaders,
        'content-type': problemContentType,
        'retry-after': String(retryAfterSeconds),
      })
      .send(JSON.stringify({ ...document, instance: request.url.split('?')[0] }));
  };
}
