import { createDb } from '@muster/db';
import { mostClockSkewMs } from '@muster/domain';
import { databaseOf } from '../backup/database.js';
import { planHistory } from '../evaluate/history.js';
import { fileBytes } from '../match-file/bytes.js';
import type { SituationOptions } from '../match-file/situations.js';
import { findSource } from '../match-file/source.js';
import { Connection } from '../operator/connection.js';
import type { OperatorOptions } from '../operator/options.js';
import { print } from '../operator/output.js';
import { rebuildPool } from '../pool/rebuild.js';
import { readMatchEvents } from './events.store.js';
import { historicMatch, historyOfFile, ratingRulesOf, type TuneHistory } from './history.js';
import { tune, type Tuned } from './search.js';
import { tunedText } from './summary.js';

/** Options of `muster pool tune`. */
export interface TuneOptions extends OperatorOptions, SituationOptions {
  readonly matches: number;
  readonly apply: boolean;
}

/** Names of pools have neither; paths and names of files nearly always have one. */
const isFileName = (what: string): boolean => /[./\\]/.test(what);

/**
 * Chooses the rules of a pool by its own history, and applies them if asked to.
 *
 * @param what a pool, or a file of recorded matches
 * @returns the exit code: 0, 2 if rows of a file were refused; that of the rebuild with `apply`
 * @throws Error with a user-facing message
 */
export async function tunePool(what: string, options: TuneOptions, env: NodeJS.ProcessEnv): Promise<number> {
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
  const isApplied = options.apply && tuned.better !== null;
  // With --json the rebuild prints the only line.
  if (!isApplied || !options.json)
    print(options.json, { what, ...tuned }, () => tunedText(what, isFile ? null : what, tuned));
  if (isApplied) return apply(what, tuned, options, env);
  return refused > 0 ? 2 : 0;
}

/** Tells the service, which proposes to tune a pool that has grown since. */
async function remember(pool: string, options: TuneOptions, env: NodeJS.ProcessEnv): Promise<void> {
  const connection = await Connection.open(options, env);
  await connection.ask((operator) => operator.rememberTuning(pool));
}

async function readFileHistory(
  file: string,
  options: TuneOptions,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly history: TuneHistory; readonly refused: number }> {
  const bytes = fileBytes(await findSource(file, env['MUSTER_DATA']));
  try {
    const latest = Date.now() + mostClockSkewMs;
    const { plan, refusals } = planHistory(bytes, { ...options, limit: options.matches, latest });
    for (const line of refusals.lines(file)) process.stderr.write(`${line}\n`);
    return { history: historyOfFile(bytes, plan), refused: refusals.count };
  } catch (error) {
    throw new Error(`${file} ${error instanceof Error ? error.message : String(error)}`, { cause: error });
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
  const connection = await Connection.open(options, env);
  const { rules } = await connection.ask((operator) => operator.pool(pool));
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

function apply(
  pool: string,
  { better, judgedMatches }: Tuned,
  options: TuneOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  if (!better) return Promise.resolve(0);
  const { model, parameters, aspects } = better.rules;
  const gain = better.gain.mean.toFixed(4);
  return rebuildPool(
    pool,
    {
      ...options,
      model,
      // All of the model's parameters: those that the present rules set and the better ones do not go back to default.
      set: parameters,
      replaceParameters: true,
      aspects: aspects ?? 'none',
      refit: false,
      wait: true,
      reason: `Tuned: the last ${judgedMatches} matches are predicted better by ${gain} in log-loss.`,
    },
    env,
  );
}
