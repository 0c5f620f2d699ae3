import { MusterProblem, OperatorClient } from '@muster/sdk';
import { findTarget, type Target, type TargetOptions } from './target.js';

const patienceMs = 5_000;
/** For how long a command's calls are tried again: somebody waits at the terminal. */
const callPatienceMs = 8_000;

/** A coordinator that answers, and the operator who asks it. */
export class Connection {
  private constructor(
    readonly operator: OperatorClient,
    readonly target: Target,
  ) {}

  /** @throws Error with a sentence for people when there is no key, or nobody answers */
  static async open(options: TargetOptions, env: NodeJS.ProcessEnv): Promise<Connection> {
    const target = await findTarget(options, env);
    await checkThere(target.url);
    return new Connection(new OperatorClient({ ...target, patienceMs: callPatienceMs }), target);
  }

  /** Makes a call. @throws Error with a sentence for people, whatever went wrong */
  async ask<T>(call: (operator: OperatorClient) => Promise<T>): Promise<T> {
    try {
      return await call(this.operator);
    } catch (error) {
      throw new Error(sentenceOf(error, this.target), { cause: error });
    }
  }
}

/** Asked first and once: the client itself tries for long, as it must when a service restarts in the middle of a run. */
async function checkThere(url: string): Promise<void> {
  const there = await fetch(new URL('/health/live', url), { signal: AbortSignal.timeout(patienceMs) }).then(
    (response) => response.ok,
    () => false,
  );
  if (!there)
    throw new Error(`No Muster answers at ${url}: start it with "npm start", or say where it is with --url.`);
}

/** Why a call failed, with what to do about it; what Muster itself said is said by it. */
export function explain(error: unknown, target: Target): string {
  return isOfTheCall(error) ? `Muster at ${target.url} says: ${error.message}` : sentenceOf(error, target);
}

/** The same where it is plain who speaks. */
function sentenceOf(error: unknown, { url }: Target): string {
  if (!(error instanceof MusterProblem))
    return `Muster at ${url} does not answer; look whether it still runs.`;
  if (!isOfTheCall(error))
    return `Muster at ${url} does not take this operator key; give its own with --operator-key or --data-dir.`;
  const { pool } = error.problem;
  const name = typeof pool === 'string' ? pool : 'NAME';
  switch (error.code) {
    // What the interface says names its own paths; here the next step is another command.
    case 'pool-not-found':
      return `There is no rating pool "${name}"; "muster pool list" shows those that there are, and "muster pool create" makes one.`;
    case 'rebuild-running':
      return `"${name}" is being rebuilt already; "muster pool rebuilds ${name}" shows how far that is.`;
    default:
      return error.message;
  }
}

function isOfTheCall(error: unknown): error is MusterProblem {
  return error instanceof MusterProblem && error.status !== 401 && error.status !== 403;
}
