import { counted } from '@muster/command-line/terminal/table';
import type { Aggregation } from '@muster/domain';
import type { NotApplicable } from './trial.js';
import type { Timed } from './trials.js';
import type { Figures } from './tally.js';

/** The result of an evaluation. */
export interface Summary {
  readonly file: string;
  /** Predicted and rated matches. */
  readonly matches: number;
  readonly players: number;
  /** Rejected rows. */
  readonly refused: number;
  /** Matches that are scored. */
  readonly scored: number;
  /** Of these, matches with more than two teams. */
  readonly scoredRaces: number;
  readonly aggregation: Aggregation;
  /** What players are rated by beside their common skill, with strengths; absent: nothing. */
  readonly aspects?: string;
  /** The situations in use, as the end of a sentence. */
  readonly situations: string;
  readonly models: readonly Timed[];
  readonly notApplicable: readonly NotApplicable[];
}

/** Sorted by log-loss, best first: only log-loss penalises overconfidence without bound. */
export function ranked(models: readonly Timed[]): Timed[] {
  return models.toSorted((a, b) => a.calibrated.logLoss - b.calibrated.logLoss);
}

/** The models without those that made the same predictions as an earlier one. */
export function distinct(models: readonly Timed[]): Timed[] {
  return models.filter((model) => twinOf(model, models) === null);
}

/** The first of the models that made the same predictions as this one; null if that is this one. */
function twinOf(model: Timed, models: readonly Timed[]): Timed | null {
  const first = models.find((other) => isSame(other, model));
  return first === model ? null : (first ?? null);
}

/** The same figures to the last digits, over hundreds of matches, are the same predictions. */
function isSame(one: Timed, other: Timed): boolean {
  const near = (a: Figures, b: Figures): boolean =>
    Math.abs(a.logLoss - b.logLoss) < 1e-9 && Math.abs(a.brier - b.brier) < 1e-9;
  return near(one.raw, other.raw) && near(one.calibrated, other.calibrated);
}

const aggregations: Readonly<Record<Aggregation, string>> = {
  mean: 'mean (a team counts as if it were of mean size)',
  sum: 'sum (every player adds to the team)',
  learned: 'learned (a team counts as if it were of mean size, and what being more is worth is learned)',
};

/** The summary as a table as text. */
export function asTable(summary: Summary): string {
  const { file, matches, players, refused, scored, models, notApplicable, situations, aggregation } = summary;
  return [
    `${file}: ${counted(matches, 'match', 'matches')}, ${counted(players, 'player')}${refused > 0 ? `, ${counted(refused, 'row')} refused` : ''}`,
    `Situations: ${situations}`,
    `Teams of different size: ${aggregations[aggregation]}.`,
    ...(summary.aspects === undefined ? [] : [`Players are also rated by: ${summary.aspects}.`]),
    '',
    `Every match is predicted, then rated. The figures are over the last 80 % of the decided matches: ${scored.toLocaleString('en')}.`,
    ...caption(summary),
    'Calibrated: scaled by what was learned up to each match; the scale shown is that of the end. * is the best.',
    '',
    ...table(distinct(ranked(models))),
    ...twinLines(ranked(models)),
    ...skippedLines(summary),
    ...(notApplicable.length === 0 ? [] : ['', 'Not applicable to this file:']),
    ...notApplicable.map(({ model, reason }) => `  ${model}: ${reason}`),
    '',
  ].join('\n');
}

function caption({ scored, scoredRaces }: Summary): string[] {
  if (scoredRaces === 0) return [];
  const which = scoredRaces === scored ? 'All' : `${scoredRaces.toLocaleString('en')} of them`;
  return [
    `${which} are of more than two teams: there every pair of teams with different ranks is a prediction, p/(p + q) of`,
    'the predicted chances, and the mean over its pairs is what a match counts.',
  ];
}

const widths = [10, 10, 8];

function table(models: readonly Timed[]): string[] {
  if (models.length === 0) return ['No model could be evaluated.'];
  const name = Math.max(5, ...models.map(({ model }) => model.length)) + 2;
  const heads = ['accuracy', 'log-loss', 'Brier'].map((head, i) => head.padStart(widths[i] ?? 0)).join('');
  const group = widths.reduce((sum, width) => sum + width, 0);
  return [
    `${' '.repeat(name)}${'raw'.padStart(group)}${'calibrated'.padStart(group + 4)}`,
    `${'  model'.padEnd(name)}${heads}    ${heads}   scale   seconds`,
    ...models.map(({ model, raw, calibrated, scale, seconds }, i) =>
      [
        `${i === 0 ? '* ' : '  '}${model}`.padEnd(name),
        cells(raw),
        '    ',
        cells(calibrated),
        scale.mean.toFixed(2).padStart(8),
        seconds.toFixed(1).padStart(10),
      ].join(''),
    ),
  ];
}

function cells({ accuracy, logLoss, brier }: Figures): string {
  return [accuracy.toFixed(3), logLoss.toFixed(4), brier.toFixed(4)]
    .map((text, i) => text.padStart(widths[i] ?? 0))
    .join('');
}

function twinLines(models: readonly Timed[]): string[] {
  const twins = distinct(models)
    .map((first) => models.filter((each) => isSame(first, each)).map(({ model }) => model))
    .filter((names) => names.length > 1);
  if (twins.length === 0) return [];
  return [
    '',
    'Models that predict the same on this file, so shown once:',
    ...twins.map((names) => `  ${names.join(', ')}.`),
  ];
}

function skippedLines({ models, matches }: Summary): string[] {
  const some = models.filter(({ skipped }) => skipped > 0);
  if (some.length === 0) return [];
  return [
    '',
    'Skipped matches, so these figures are over fewer:',
    ...some.map(({ model, skipped, skippedFor }) =>
      `  ${model}: ${skipped} of ${matches}. ${skippedFor ?? ''}`.trimEnd(),
    ),
  ];
}

/** The summary as one line of JSON. */
export function asJsonLine({ models, notApplicable, ...rest }: Summary): string {
  const order = ranked(models);
  const line = {
    ...rest,
    models: order.map((each) => {
      const { model, skippedFor: _why, ...figures } = each;
      return { model, sameAs: twinOf(each, order)?.model ?? null, ...figures };
    }),
    notApplicable,
  };
  return `${JSON.stringify(line)}\n`;
}
