import { MusterProblem, OperatorClient } from '@muster/sdk';
import type { RefusedRow } from '../match-file/broken-row.js';
import { figuresOf } from './figures.js';
import { readMatches, type MatchFile } from '../match-file/match-file.js';
import { Progress } from '../terminal/progress.js';
import { reportAll, ReportingFailed } from './report.js';
import { readSource } from '../match-file/source.js';
import { asJsonLine, table } from './summary.js';
import { findTarget, type Target, type TargetOptions } from './target.js';

/** What `muster replay` was told. */
export interface ReplayOptions extends TargetOptions {
  readonly pool: string;
  readonly json: boolean;
  readonly limit?: number;
}

const patienceMs = 5_000;

/**
 * Rates recorded matches through the interface for results, oldest first, and says how good the predictions were that
 * were made before each. What was counted once stays counted once, so it can be stopped and run again.
 *
 * @returns the exit code: 0, 2 when rows were refused, 130 when it was stopped
 * @throws Error with a sentence for people when it cannot go on
 */
export async function replay(file: string, options: ReplayOptions, env: NodeJS.ProcessEnv): Promise<number> {
  const { pool, json } = options;
  const read = await readFileOfMatches(file, options, env);
  const progress = new Progress(process.stderr, read.matches.length);
  const refuse = ({ line, reason }: RefusedRow): void =>
    progress.say(`${file}, line ${line} refused: ${reason}`);
  read.refused.forEach(refuse);
  if (read.sorted) progress.say(`${file} is not in the order of time; its matches are taken oldest first.`);

  const target = await findTarget(options, env);
  const operator = new OperatorClient(target);
  await checkThere(target.url);
  if (await makePool(operator, pool, target)) progress.say(`Made the rating pool "${pool}".`);

  const stop = stopOnSignal(() =>
    progress.say('Stopping after the match in hand; a second time stops at once.'),
  );
  const reported = await reportAll(read.matches, {
    operator,
    stop,
    onProgress: (n) => progress.at(n),
    onRefused: refuse,
    onWait: () => progress.say(`Muster at ${target.url} does not answer; asking again for a minute.`),
  }).catch((error: unknown) => {
    throw error instanceof ReportingFailed ? new Error(howFar(error, read, target)) : error;
  });
  progress.end();
  const { judged, ...counts } = reported;
  const done = counts.new + counts.known + counts.refused;
  const refused = counts.refused + read.refused.length;
  const summary = {
    file,
    pool,
    matches: done + read.refused.length,
    ...counts,
    refused,
    ...figuresOf(judged),
  };
  process.stdout.write(json ? asJsonLine(summary) : table(summary));
  if (done < read.matches.length) {
    progress.say(`Stopped after ${done} of ${read.matches.length} matches. Run it again to go on.`);
    return 130;
  }
  return refused > 0 ? 2 : 0;
}

async function readFileOfMatches(
  file: string,
  { pool, limit }: ReplayOptions,
  env: NodeJS.ProcessEnv,
): Promise<MatchFile> {
  const text = await readSource(file, env['MUSTER_DATA']);
  try {
    return readMatches(text, pool, limit);
  } catch (error) {
    throw new Error(`${file} ${messageOf(error)}`, { cause: error });
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

/** @returns whether it was not there before */
async function makePool(operator: OperatorClient, name: string, target: Target): Promise<boolean> {
  try {
    return (await operator.createPool({ name })).created ?? false;
  } catch (error) {
    throw new Error(`The rating pool "${name}" could not be made: ${explain(error, target)}`, {
      cause: error,
    });
  }
}

function howFar({ done, cause }: ReportingFailed, { matches }: MatchFile, target: Target): string {
  const line = matches[done]?.line ?? 0;
  return `Stopped at line ${line}, after ${done} of ${matches.length} matches: ${explain(cause, target)} Running it again goes on from there.`;
}

function explain(error: unknown, { url }: Target): string {
  if (!(error instanceof MusterProblem))
    return `Muster at ${url} does not answer; look whether it still runs.`;
  if (error.status === 401 || error.status === 403)
    return `Muster at ${url} does not take this operator key; give its own with --operator-key or --data-dir.`;
  return `Muster at ${url} says: ${error.message}`;
}

function stopOnSignal(onFirst: () => void): AbortSignal {
  const stopping = new AbortController();
  const stop = (): void => {
    if (stopping.signal.aborted) process.exit(130);
    stopping.abort();
    onFirst();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return stopping.signal;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
