import { mostClockSkewMs } from '@muster/domain';
import type { RefusedRow } from '../match-file/broken-row.js';
import { readMatches, type MatchFile } from '../match-file/match-file.js';
import { situationsOf, type SituationOptions } from '../match-file/situations.js';
import { reading, readSource } from '../match-file/source.js';
import { Connection, explain } from '@muster/command-line/operator/connection';
import type { OperatorOptions } from '@muster/command-line/operator/options';
import type { Target } from '@muster/command-line/operator/target';
import type { Settings } from '@muster/command-line/options/settings';
import { Progress } from '@muster/command-line/terminal/progress';
import { stopOnSignal } from '@muster/command-line/terminal/stop-on-signal';
import { figuresOf } from './figures.js';
import { openPool } from './open-pool.js';
import { reportAll, ReportingFailed } from './report.js';
import { reportsOf } from './reports.js';
import { asJsonLine, table } from './summary.js';

/** Options of `muster replay`. */
export interface ReplayOptions extends OperatorOptions, SituationOptions {
  readonly pool: string;
  readonly model?: string;
  readonly set?: Settings;
  readonly limit?: number;
}

/** A match file with the fields of each report. */
interface ReplayedFile extends MatchFile {
  /** Which situations are used, as the end of a sentence. */
  readonly situations: string;
}

/**
 * Reports recorded matches, oldest first, and evaluates the predictions made before each. Repeats count once, so it can
 * be stopped and run again.
 *
 * @returns the exit code: 0, 2 if rows were rejected, 130 if it was stopped
 * @throws Error with a user-facing message on failure
 */
export async function replay(file: string, options: ReplayOptions, env: NodeJS.ProcessEnv): Promise<number> {
  const { pool, json } = options;
  const read = await readFileOfMatches(file, options, env);
  const progress = new Progress(process.stderr, read.matches.length);
  const refuse = ({ line, reason }: RefusedRow): void =>
    progress.say(`${file}, line ${line} refused: ${reason}`);
  read.refused.forEach(refuse);
  if (read.sorted) progress.say(`${file} is not in order of time; its matches are replayed oldest first.`);

  const connection = await Connection.open(options, env);
  const { operator, target } = connection;
  if (await openPool(connection, pool, options)) progress.say(`Created the rating pool "${pool}".`);
  progress.say(`Situations: ${read.situations}`);

  const stop = stopOnSignal(() =>
    progress.say('Stopping after the current match; a second signal stops immediately.'),
  );
  const reported = await reportAll(read.matches, {
    operator,
    stop,
    onProgress: (n) => progress.at(n),
    onRefused: refuse,
    onRetry: () => progress.say(`Muster at ${target.url} does not answer; retrying for a minute.`),
  }).catch((error: unknown) => {
    throw error instanceof ReportingFailed ? new Error(progressMessage(error, read, target)) : error;
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
    progress.say(`Stopped after ${done} of ${read.matches.length} matches. Run it again to continue.`);
    return 130;
  }
  return refused > 0 ? 2 : 0;
}

async function readFileOfMatches(
  file: string,
  options: ReplayOptions,
  env: NodeJS.ProcessEnv,
): Promise<ReplayedFile> {
  const { pool, limit } = options;
  const text = await readSource(file, env['MUSTER_DATA']);
  return reading(file, () => {
    const latest = Date.now() + mostClockSkewMs;
    const read = readMatches(text, pool, limit, latest);
    // Situations are detected over the whole file: the first rows alone may not show that a venue recurs.
    const whole = limit === undefined ? read : readMatches(text, pool, Infinity, latest);
    const situations = situationsOf(whole.matches, options);
    const { matches, refused } = reportsOf(read.matches, situations);
    return {
      ...read,
      matches,
      refused: [...read.refused, ...refused].toSorted((a, b) => a.line - b.line),
      situations: situations.words,
    };
  });
}

function progressMessage({ done, cause }: ReportingFailed, { matches }: MatchFile, target: Target): string {
  const line = matches[done]?.line ?? 0;
  return `Stopped at line ${line}, after ${done} of ${matches.length} matches: ${explain(cause, target)} Running it again continues from there.`;
}
