import { MusterProblem, OperatorClient } from '@muster/sdk';
import { inCommands } from './commands.js';
import { findTarget, type Target, type TargetOptions } from './target.js';

const patienceMs = 5_000;
/** The time for retries of a command's calls; short, because a user waits. */
const callPatienceMs = 8_000;

/** No Muster answers: the exit code tells it from a refusal. */
export class Unreachable extends Error {}

/** A reachable coordinator and its operator client. */
export class Connection {
  private constructor(
    readonly operator: OperatorClient,
    readonly target: Target,
  ) {}

  /** @throws Error with a user-facing message if there is no key or no answer */
  static async open(options: TargetOptions, env: NodeJS.ProcessEnv): Promise<Connection> {
    const target = await findTarget(options, env);
    await checkReachable(target.url);
    return new Connection(new OperatorClient({ ...target, patienceMs: callPatienceMs }), target);
  }

  /** Makes a call. @throws Error with a user-facing message */
  async ask<T>(call: (operator: OperatorClient) => Promise<T>): Promise<T> {
    try {
      return await call(this.operator);
    } catch (error) {
      const Kind = error instanceof MusterProblem ? Error : Unreachable;
      throw new Kind(sentenceOf(error, this.target), { cause: error });
    }
  }
}

/** Makes a call. @throws Error with a user-facing message */
export type Ask = <T>(call: (operator: OperatorClient) => Promise<T>) => Promise<T>;

/** Makes the calls of a command. The first one finds Muster, so that what needs no call is checked before. */
export function asking(options: TargetOptions, env: NodeJS.ProcessEnv): Ask {
  let connection: Promise<Connection> | undefined;
  return async (call) => (await (connection ??= Connection.open(options, env))).ask(call);
}

/** A single check before the first call: the client itself retries for long, to bridge a restart during a run. */
async function checkReachable(url: string): Promise<void> {
  const isReachable = await fetch(new URL('/health/live', url), {
    signal: AbortSignal.timeout(patienceMs),
  }).then(
    (response) => response.ok,
    () => false,
  );
  if (!isReachable)
    throw new Unreachable(
      `No Muster answers at ${url}: start it with "npm start", or give its address with --url.`,
    );
}

/** Explains why a call failed and the remedy; names Muster as the source of its own messages. */
export function explain(error: unknown, target: Target): string {
  return isRefusal(error) ? `Muster at ${target.url} says: ${error.message}` : sentenceOf(error, target);
}

/** The same without the source. */
export function sentenceOf(error: unknown, { url }: Target): string {
  if (!(error instanceof MusterProblem))
    return `Muster at ${url} does not answer; check whether it is running.`;
  if (!isRefusal(error))
    return `Muster at ${url} rejects this operator key; give another with --operator-key or --data-dir.`;
  const { pool } = error.problem;
  const name = typeof pool === 'string' ? pool : 'NAME';
  switch (error.code) {
    // The API's message names its own paths; here the next step is another command.
    case 'pool-not-found':
      return `There is no rating pool "${name}"; "muster pools list" lists the pools, and "muster pools create" creates one.`;
    case 'rebuild-running':
      return `"${name}" is already being rebuilt; "muster pools rebuilds ${name}" shows the progress.`;
    default:
      return inCommands(error.message);
  }
}

function isRefusal(error: unknown): error is MusterProblem {
  if (!(error instanceof MusterProblem)) return false;
  // A known operator with too low a role is told which one is needed.
  return error.status !== 401 && (error.status !== 403 || error.problem['role'] !== undefined);
}
