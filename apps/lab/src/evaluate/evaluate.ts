import { mostClockSkewMs, type Aggregation, type AspectRules } from '@muster/domain';
import { modelKinds, type ModelKind } from '@muster/skill';
import { fileBytes } from '../match-file/bytes.js';
import type { Refusals } from '../match-file/refusals.js';
import { aspectsText } from '@muster/command-line/options/aspects';
import type { SituationOptions } from '../match-file/situations.js';
import { findSource, reading } from '../match-file/source.js';
import { parametersWith, type Settings } from '@muster/command-line/options/settings';
import { checkPlotFile } from '@muster/command-line/terminal/plot-file';
import { Progress } from '@muster/command-line/terminal/progress';
import { planHistory, scoredOf, type HistoryPlan } from './history.js';
import { kindsNamed } from './model-names.js';
import { writePlot } from './plot-file.js';
import { joinPredictions, removeParts } from './predictions-file.js';
import { checkSettings } from './settings.js';
import { asJsonLine, asTable, type Summary } from './summary.js';
import { tryModels, type ThreadTask } from './thread-task.js';

/** Options of `muster evaluate`. */
export interface EvaluateOptions extends SituationOptions {
  /** `all`, or names separated by commas. */
  readonly models: string;
  /** Parameters of the models. */
  readonly set?: Settings | undefined;
  readonly aggregation: Aggregation;
  /** What players are rated by beside their common skill. */
  readonly aspects?: AspectRules | undefined;
  /** Where to draw the calibration. */
  readonly plot?: string | undefined;
  /** Where to write each prediction. */
  readonly predictions?: string | undefined;
  readonly limit?: number | undefined;
  readonly threads?: number | undefined;
  readonly json: boolean;
}

/**
 * Predicts and rates the matches of a file with several rating models, and ranks the models by their predictions.
 *
 * @returns the exit code: 0, 2 if rows were rejected
 * @throws Error with a user-facing message on failure
 */
export async function evaluate(
  file: string,
  options: EvaluateOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const kinds = kindsNamed(options.models, modelKinds);
  const settings = parametersWith({}, options.set ?? {});
  checkSettings(kinds, settings);
  for (const written of [options.plot, options.predictions])
    if (written !== undefined) await checkPlotFile(written);

  const path = await findSource(file, env['MUSTER_DATA']);
  const { plan, refusals } = planOf(file, path, options);
  for (const line of refusals.lines(file)) process.stderr.write(`${line}\n`);
  if (plan.decided === 0)
    throw new Error(
      `${file} has no match with a winner, so there is nothing to predict; rank 1 is best, and equal ranks are a draw.`,
    );

  const models = kinds.map(({ name }) => name);
  const { aggregation, aspects, predictions } = options;
  const task = { path, plan, models, options: { aggregation, settings, aspects }, predictions };
  const summary = summaryOf(file, plan, refusals, options, await tried(task, kinds, options));
  process.stdout.write(options.json ? asJsonLine(summary) : asTable(summary));
  await writeFiles(summary, models, options);
  return refusals.count > 0 ? 2 : 0;
}

function planOf(file: string, path: string, options: EvaluateOptions): ReturnType<typeof planHistory> {
  const bytes = fileBytes(path);
  try {
    return reading(file, () => planHistory(bytes, { ...options, latest: Date.now() + mostClockSkewMs }));
  } finally {
    bytes.close();
  }
}

async function tried(
  task: ThreadTask,
  kinds: readonly ModelKind[],
  { threads, predictions }: EvaluateOptions,
): ReturnType<typeof tryModels> {
  const progress = process.stderr.isTTY
    ? new Progress(process.stderr, task.plan.matches * kinds.length)
    : null;
  let done = 0;
  try {
    return await tryModels(task, threads, (count) => progress?.at((done += count)));
  } catch (error) {
    if (predictions !== undefined) removeParts(predictions, task.models);
    throw error;
  } finally {
    progress?.end();
  }
}

function summaryOf(
  file: string,
  plan: HistoryPlan,
  refusals: Refusals,
  { aggregation, aspects }: EvaluateOptions,
  results: Awaited<ReturnType<typeof tryModels>>,
): Summary {
  return {
    file,
    matches: plan.matches,
    players: plan.players,
    refused: refusals.count,
    scored: scoredOf(plan),
    scoredRaces: plan.scoredRaces,
    aggregation,
    ...(aspects ? { aspects: aspectsText(aspects) } : {}),
    situations: plan.situations.words,
    models: results.flatMap((result) => ('reason' in result ? [] : [result])),
    notApplicable: results.flatMap((result) => ('reason' in result ? [result] : [])),
  };
}

async function writeFiles(
  summary: Summary,
  models: readonly string[],
  { plot, predictions, json }: EvaluateOptions,
): Promise<void> {
  if (predictions !== undefined) {
    await joinPredictions(predictions, models);
    if (!json) process.stdout.write(`The predictions are in ${predictions}.\n`);
  }
  if (plot === undefined) return;
  await writePlot(plot, summary);
  if (!json) process.stdout.write(`The calibration plot is in ${plot}.\n`);
}
