import { mostClockSkewMs, type Aggregation } from '@muster/domain';
import { modelKinds, type ModelKind } from '@muster/skill';
import { readMatches, type MatchFile } from '../match-file/match-file.js';
import { readSource } from '../match-file/source.js';
import { checkPlotFile } from '../terminal/plot-file.js';
import { Progress } from '../terminal/progress.js';
import { historyOf } from './history.js';
import { kindsNamed } from './model-names.js';
import { writePlot } from './plot-file.js';
import type { SituationOptions } from '../match-file/situations.js';
import { asJsonLine, asTable, type Summary, type Timed } from './summary.js';
import { judgedOf, tryModel, type NotApplicable } from './try-model.js';

/** Options of `muster evaluate`. */
export interface EvaluateOptions extends SituationOptions {
  /** `all`, or names separated by commas. */
  readonly models: string;
  readonly aggregation: Aggregation;
  /** Where to draw the calibration. */
  readonly plot?: string | undefined;
  readonly limit?: number | undefined;
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
  if (options.plot !== undefined) await checkPlotFile(options.plot);
  const history = historyOf(await readFileOfMatches(file, options, env), options);
  for (const { line, reason } of history.refused)
    process.stderr.write(`${file}, line ${line} refused: ${reason}\n`);
  const judged = judgedOf(history.matches);
  if (judged.length === 0)
    throw new Error(
      `${file} has no match with a winner, so there is nothing to predict; rank 1 is best, and equal ranks are a draw.`,
    );

  const progress = process.stderr.isTTY
    ? new Progress(process.stderr, history.matches.length * kinds.length)
    : null;
  const models: Timed[] = [];
  const notApplicable: NotApplicable[] = [];
  kinds.forEach((kind: ModelKind, k) => {
    const startedAt = performance.now();
    let done = k * history.matches.length;
    const tried = tryModel(kind, history, options.aggregation, () => progress?.at(++done));
    if ('reason' in tried) notApplicable.push(tried);
    else models.push({ ...tried, seconds: (performance.now() - startedAt) / 1000 });
    progress?.at((k + 1) * history.matches.length);
  });
  progress?.end();

  const summary: Summary = {
    file,
    matches: history.matches.length,
    players: history.players,
    refused: history.refused.length,
    scored: judged.length,
    scoredRaces: judged.filter(({ ranks }) => ranks.length > 2).length,
    aggregation: options.aggregation,
    situations: history.situations.words,
    models,
    notApplicable,
  };
  process.stdout.write(options.json ? asJsonLine(summary) : asTable(summary));
  if (options.plot !== undefined) {
    await writePlot(options.plot, summary);
    if (!options.json) process.stdout.write(`The calibration plot is in ${options.plot}.\n`);
  }
  return history.refused.length > 0 ? 2 : 0;
}

async function readFileOfMatches(
  file: string,
  { limit }: EvaluateOptions,
  env: NodeJS.ProcessEnv,
): Promise<MatchFile> {
  const text = await readSource(file, env['MUSTER_DATA']);
  try {
    // The pool name only satisfies the file's schema; nothing is reported.
    return readMatches(text, 'evaluation', limit, Date.now() + mostClockSkewMs);
  } catch (error) {
    throw new Error(`${file} ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
