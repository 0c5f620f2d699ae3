import type { Figures, NewcomerFigures, Population, SimulationResult } from '@muster/lab-simulation';
import { counted, right, tableLines, wrapped } from '@muster/command-line/terminal/table';
import { curvesOf, unfairnessAt } from './curves.js';
import type { Trial } from './trials.js';

/** All runs of a command. */
export interface Study {
  readonly population: Population;
  readonly days: number;
  readonly seed: number;
  readonly model: string;
  /** The contenders, in order; those of Muster come first. */
  readonly rules: readonly string[];
  readonly trials: readonly Trial[];
}

/** The runs shown in full: of each contender the one whose factor is nearest to 1. */
export function mainTrials({ rules, trials }: Study): Trial[] {
  const off = ({ factor }: Trial): number => Math.abs(Math.log(factor));
  return rules.flatMap((name) =>
    trials
      .filter(({ contender }) => contender === name)
      .toSorted((a, b) => off(a) - off(b))
      .slice(0, 1),
  );
}

/** Whether curves were traced. */
export function hasCurves({ trials }: Study): boolean {
  return trials.length > 1;
}

/** The columns of figures; the table of curves lacks those with false. */
const shown: readonly (readonly [head: string, of: (figures: Figures) => string, inCurves?: false])[] = [
  ['players', ({ matched }) => matched.toLocaleString('en'), false],
  ['wait p50', ({ waitMs }) => seconds(waitMs.p50)],
  ['p90', ({ waitMs }) => seconds(waitMs.p90)],
  ['p99', ({ waitMs }) => seconds(waitMs.p99)],
  ['|P−½|', ({ unfairness }) => fixed(unfairness.predicted, 3)],
  ['true', ({ unfairness }) => fixed(unfairness.actual, 3)],
  ['lopsided', ({ lopsided }) => percent(lopsided.predicted)],
  ['spread p50', ({ spread }) => fixed(spread.p50, 1)],
  ['p90', ({ spread }) => fixed(spread.p90, 1), false],
  ['gave up', ({ gaveUp }) => percent(gaveUp)],
];
const curveFigures = shown.filter(([, , inCurves = true]) => inCurves);

/** The heads of the main table. */
export const tableHeads = ['', ...shown.map(([head]) => head)];

export const legend =
  'players: put into a match, as often as they were. wait: seconds of those who got a match. |P−½|: how far the better team’s chance was from even, on the mean, as the ratings foretold; true: by the players’ true skill. lopsided: matches beyond 40–60 % as foretold. spread: largest less smallest rating of a match. gave up: part of those who queued and got no match.';

/** A study as text. */
export function asText(study: Study): string {
  const [main] = mainTrials(study);
  if (!main) return '';
  const { result } = main;
  return [
    `${study.population.name}: ${counted(Math.round(result.playing), 'player')} on the mean of ${counted(study.days, 'day')}, seed ${study.seed}, ${study.model}`,
    ...describe(result),
    '',
    ...asTable(tableHeads, rowsOf(result)),
    '',
    ...wrapped(legend),
    '',
    ...placementLines(result).flatMap((line) => wrapped(line)),
    ...(hasCurves(study) ? ['', ...curveLines(study)] : []),
    '',
  ].join('\n');
}

/** A study as one JSON object. Figures without data are null. */
export function asJsonLine({ population, days, seed, model, trials }: Study): string {
  const flat = trials.map(({ contender, factor, result }) => ({ contender, factor, ...result }));
  return `${JSON.stringify({ population, days, seed, model, trials: flat })}\n`;
}

function describe({ matches, calledOff, tickets, work }: SimulationResult): string[] {
  const { queued, matched, gaveUp, expired, waiting } = tickets;
  return [
    `${counted(matches, 'match', 'matches')} formed, ${calledOff.toLocaleString('en')} called off because somebody did not connect`,
    `${counted(queued, 'ticket')}, the warm-up included: ${matched.toLocaleString('en')} matched, ${gaveUp.toLocaleString('en')} gave up, ${expired.toLocaleString('en')} expired, ${waiting.toLocaleString('en')} waited at the end`,
    `${counted(work.ticks, 'tick')} with somebody waiting${work.cut > 0 ? `, ${work.cut.toLocaleString('en')} met the bound on their work` : ''}`,
  ];
}

/** The rows of the main table. */
export function rowsOf(result: SimulationResult): string[][] {
  return [
    row('all', result.all),
    ...Object.entries(result.regions).map(([name, figures]) => row(`region ${name}`, figures)),
    ...result.bands.map((figures, i) => row(bandName(i, result.bands.length), figures)),
    row('in parties', result.parties),
    row('newcomers', result.newcomers),
  ];
}

function bandName(band: number, of: number): string {
  return `skill ${Math.round((100 * band) / of)}–${Math.round((100 * (band + 1)) / of)} %`;
}

function row(name: string, of: Figures): string[] {
  return [name, ...shown.map(([, text]) => text(of))];
}

/** Fewer newcomers are not reported. */
const fewest = 20;

/** How quickly the skill of newcomers becomes known, as text. */
export function placementLines({ placement }: SimulationResult): string[] {
  const said = (who: string, { players, matchesNeeded, settled, error }: NewcomerFigures): string => {
    if (players < fewest)
      return `${who}: ${counted(players, 'player')} played all the matches that are followed, too few to report.`;
    const followed = error.length - 1;
    const needed =
      matchesNeeded === null
        ? `half of them were not known to half a sigma for good within ${followed} matches`
        : `half of them were known to half a sigma for good after ${counted(matchesNeeded, 'match', 'matches')}`;
    const at = Math.min(10, followed);
    return `${who} (${players.toLocaleString('en')}): ${needed}; ${percent(settled[at] ?? NaN)} were after ${at}, when the error was ${fixed(error[at] ?? NaN, 2)} sigma.`;
  };
  return [
    said('Newcomers with calibration matches', placement.calibrated),
    said('Newcomers without', placement.plain),
    said('Smurfs with calibration matches', placement.calibratedSmurfs),
    said('Smurfs without', placement.plainSmurfs),
  ];
}

/** The heads and rows of the table of all runs. */
export function curveTable({ trials }: Study): { heads: string[]; rows: string[][] } {
  return {
    heads: ['matcher', 'windows', ...curveFigures.map(([head]) => head)],
    rows: trials.map(({ contender, factor, result: { all } }) => [
      contender,
      `×${factor}`,
      ...curveFigures.map(([, text]) => text(all)),
    ]),
  };
}

/** A table whose first column is of words. */
function asTable([first = '', ...others]: readonly string[], rows: readonly string[][]): string[] {
  return tableLines([first, ...right(...others)], rows);
}

function curveLines(study: Study): string[] {
  const { heads, rows } = curveTable(study);
  return [...asTable(heads, rows), '', ...curveWords(study).flatMap((words) => wrapped(words))];
}

/** Compares the first contender with each other one, at every p90 wait that both curves cover. */
export function curveWords({ trials }: Study): string[] {
  const [own, ...others] = curvesOf(trials);
  if (!own) return [];
  return others.map((other) => {
    const waits = [...own.points, ...other.points].map(({ waitSeconds }) => waitSeconds);
    const meetings = [...new Set(waits)]
      .toSorted((a, b) => a - b)
      .flatMap((wait) => {
        const ours = unfairnessAt(own, wait, 'predicted');
        const theirs = unfairnessAt(other, wait, 'predicted');
        return ours === null || theirs === null ? [] : [{ ours, theirs, wait }];
      });
    if (meetings.length === 0)
      return `${own.contender} and ${other.contender} share no p90 wait, so their fairness cannot be compared.`;
    const fairer = meetings.filter(({ ours, theirs }) => ours <= theirs).length;
    const each = meetings
      .map(({ ours, theirs, wait }) => `${fixed(ours, 3)} to ${fixed(theirs, 3)} at ${fixed(wait, 1)} s`)
      .join(', ');
    return `At the same p90 wait, |P−½| of ${own.contender} to ${other.contender}: ${each}; as fair or fairer at ${fairer} of ${meetings.length}.`;
  });
}

export function seconds(ms: number): string {
  return fixed(ms / 1000, 1);
}

export function percent(share: number): string {
  return Number.isFinite(share) ? `${(100 * share).toFixed(1)} %` : '–';
}

export function fixed(value: number, digits: number): string {
  return Number.isFinite(value) ? value.toFixed(digits) : '–';
}
