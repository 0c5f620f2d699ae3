import type { Screen } from '@muster/command-line/terminal/progress';
import { checkPlotFile, writePlotFile } from '@muster/command-line/terminal/plot-file';
import { Progress } from '@muster/command-line/terminal/progress';
import { muster, baselineContenders, type Contender } from './contenders.js';
import { mainPlot } from './plots.js';
import { populationFrom } from './population-source.js';
import { reportPage } from './report.js';
import { rulesFrom } from '@muster/command-line/rules/rules-source';
import { asJsonLine, asText, type Study } from './summary.js';
import { runsOf, runTrials, type TrialOptions } from './trials.js';

/** Options of `muster simulate`. */
export interface SimulateOptions extends Omit<TrialOptions, 'population'> {
  readonly population: string;
  readonly compare?: string | undefined;
  readonly baselines: boolean;
  readonly factors?: readonly number[] | undefined;
  readonly out?: string | undefined;
  readonly svg?: string | undefined;
  readonly json: boolean;
}

const curveFactors = [0.25, 0.5, 1, 2, 4];

/**
 * Simulates rules on a population and prints the result as text or JSON, with a report page and a plot on request.
 *
 * @throws Error with a user-facing message on failure
 */
export async function simulate(
  rules: string,
  options: SimulateOptions,
  out: { write(text: string): unknown },
  screen: Screen,
): Promise<void> {
  const population = await populationFrom(options.population);
  const contenders = await contendersOf(rules, options, population);
  for (const file of [options.out, options.svg]) if (file !== undefined) await checkPlotFile(file);

  const factors = options.factors ?? (contenders.length > 1 ? curveFactors : [1]);
  const minutes = Math.round(options.days * 1_440 + options.warmUp * 60);
  const runs = runsOf(contenders, factors);
  const progress = new Progress(screen, runs * minutes, undefined, 'simulated minutes');
  const trials = runTrials(contenders, factors, { ...options, population }, (done) =>
    progress.at(Math.round(done * minutes)),
  );
  progress.end();

  const { days, seed, model } = options;
  const study: Study = { population, days, seed, model, rules: contenders.map(({ name }) => name), trials };
  out.write(options.json ? asJsonLine(study) : asText(study));
  if (options.svg !== undefined) await writePlotFile(options.svg, mainPlot(study).svg);
  if (options.out !== undefined) await writePlotFile(options.out, reportPage(study));
  if (options.json) return;
  if (options.svg !== undefined) out.write(`The plot is in ${options.svg}.\n`);
  if (options.out !== undefined) out.write(`The report is in ${options.out}.\n`);
}

async function contendersOf(
  source: string,
  { compare, baselines }: SimulateOptions,
  population: TrialOptions['population'],
): Promise<Contender[]> {
  const rules = await rulesFrom(source);
  const others = compare === undefined ? [] : [muster(nameOf(compare, source), await rulesFrom(compare))];
  return [
    muster(compare === undefined ? 'muster' : source, rules),
    ...others,
    ...(baselines ? baselineContenders(rules, population) : []),
  ];
}

/** The same file may have changed in between; a comparison with itself still has two curves. */
function nameOf(compared: string, first: string): string {
  return compared === first ? `${compared} (again)` : compared;
}
