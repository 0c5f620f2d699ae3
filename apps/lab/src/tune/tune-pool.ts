import { createDb } from '@muster/db';
import { mostClockSkewMs, type RatingRules } from '@muster/domain';
import { databaseOf } from '@muster/command-line/operator/database';
import { planHistory } from '../evaluate/history.js';
import { fileBytes } from '../match-file/bytes.js';
import type { SituationOptions } from '../match-file/situations.js';
import { findSource, reading } from '../match-file/source.js';
import { asking } from '@muster/command-line/operator/connection';
import type { OperatorOptions } from '@muster/command-line/operator/options';
import { print } from '@muster/command-line/operator/output';
import { readMatchEvents } from './events.store.js';
import { historicMatch, historyOfFile, ratingRulesOf, type TuneHistory } from './history.js';
import { tune, type Attempt } from './search.js';
import { tunedText } from './summary.js';

/** Options of `muster pools tune`. */
export interface TuneOptions extends OperatorOptions, SituationOptions {
  readonly matches: number;
  readonly apply: boolean;
}

/** The rules of a rebuild. */
export interface RebuildChange {
  readonly model: string;
  readonly set: RatingRules['parameters'];
  /** Whether parameters that are not set go back to their defaults. */
  readonly replaceParameters: boolean;
  readonly aspects: RatingRules['aspects'];
  readonly refit: boolean;
  readonly wait: boolean;
  readonly reason: string;
}

/** `muster pools rebuild`. @returns its exit code */
export type Rebuild = (
  pool: string,
  options: OperatorOptions & RebuildChange,
  env: NodeJS.ProcessEnv,
) => Promise<number>;

/** Names of pools have neither; paths and names of files nearly always have one. */
const isFileName = (what: string): boolean => /[./\\]/.test(what);

/**
 * Chooses the rules of a pool by its own history, and applies them if asked to.
 *
 * @param what a pool, or a file of recorded matches
 * @returns the exit code: 0, 2 if rows of a file were refused; that of the rebuild with `apply`
 * @throws Error with a user-facing message
 */
export async function tunePool(
  what: string,
  options: TuneOptions,
  env: NodeJS.ProcessEnv,
  rebuildPool: Rebuild,
): Promise<number> {
  const isFile = isFileName(what);
  if (isFile && options.apply)
    throw new Error('--apply changes the rules of a pool: name a pool in place of the file.');
  const { history, refused } = isFile
    ? await readFileHistory(what, options, env)
    : { history: await readPoolHistory(what, options, env), refused: 0 };
  const tuned = tune(history, (name) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001B[2KTrying ${name}`);
  });
  if (process.stderr.isTTY) process.stderr.write('\r\u001B[2K');
  if (!isFile) await remember(what, options, env);
  const { better } = tuned;
  const isApplied = options.apply && better !== null;
  // With --json the rebuild prints the only line.
  if (!isApplied || !options.json)
    print(options.json, { what, ...tuned }, () => tunedText(what, isFile ? null : what, tuned));
  if (isApplied) return rebuildPool(what, changeTo(better, tuned.judgedMatches, options), env);
  return refused > 0 ? 2 : 0;
}

/** Tells the service, which proposes to tune a pool that has grown since. */
async function remember(pool: string, options: TuneOptions, env: NodeJS.ProcessEnv): Promise<void> {
  await asking(options, env)((operator) => operator.rememberTuning(pool));
}

async function readFileHistory(
  file: string,
  options: TuneOptions,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly history: TuneHistory; readonly refused: number }> {
  const bytes = fileBytes(await findSource(file, env['MUSTER_DATA']));
  try {
    return reading(file, () => {
      const latest = Date.now() + mostClockSkewMs;
      const { plan, refusals } = planHistory(bytes, { ...options, limit: options.matches, latest });
      for (const line of refusals.lines(file)) process.stderr.write(`${line}\n`);
      return { history: historyOfFile(bytes, plan), refused: refusals.count };
    });
  } finally {
    bytes.close();
  }
}

/** The rules come from the service, the matches from its ledger in the database. */
async function readPoolHistory(
  pool: string,
  options: TuneOptions,
  env: NodeJS.ProcessEnv,
): Promise<TuneHistory> {
  const { rules } = await asking(options, env)((operator) => operator.pool(pool));
  const db = createDb(await databaseOf(options.dataDir, env), {
    maxConnections: 1,
    applicationName: 'muster-tune',
  });
  try {
    const events = await readMatchEvents(db, pool, options.matches);
    return { matches: events.map(historicMatch), rules: ratingRulesOf(rules), pool: rules };
  } finally {
    await db.$disconnect();
  }
}

/** Better rules, as a rebuild takes them. */
function changeTo(
  { rules, gain }: Attempt,
  judgedMatches: number,
  options: TuneOptions,
): TuneOptions & RebuildChange {
  return {
    ...options,
    model: rules.model,
    // All of the model's parameters: those that the present rules set and the better ones do not go back to default.
    set: rules.parameters,
    replaceParameters: true,
    aspects: rules.aspects ?? null,
    refit: false,
    wait: true,
    reason: `Tuned: the last ${judgedMatches} matches are predicted better by ${gain.mean.toFixed(4)} in log-loss.`,
  };
}
