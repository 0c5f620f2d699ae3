import { counted, signed } from '@muster/command-line/terminal/table';
import type { SkillRegression } from '@muster/skill';

/** The result of a placement study. */
export interface PlacementSummary {
  readonly file: string;
  /** Rejected rows and matches. */
  readonly refused: number;
  readonly ratedBy: string;
  readonly model: SkillRegression;
  /** Why the fit is too poor for a pool; null if it is not. */
  readonly poor: string | null;
  /** Rows that lack a stat which counts, and are left out. */
  readonly incomplete: number;
}

const shown = 10;

/** The quality of the placement, as text. */
export function asText({ file, refused, ratedBy, model, poor, incomplete }: PlacementSummary): string {
  const { fit, ridge, window } = model;
  const figure = (label: string, value: string, more: string): string =>
    `  ${label.padEnd(24)}${value.padStart(9)}   ${more}`;
  const strongest = coefficients(model).slice(0, shown);
  const width = Math.max(0, ...strongest.map(({ stat }) => stat.length)) + 2;
  const matches = Number(window.toFixed(1));
  return [
    `${file}: ${counted(fit.rows, 'row')}, ${counted(fit.matches, 'match', 'matches')}, ${counted(fit.players, 'player')}${refused > 0 ? `, ${refused} refused` : ''}${incomplete > 0 ? `, ${counted(incomplete, 'row')} left out as incomplete` : ''}`,
    `What is estimated is the rating that a player has at the end, by ${ratedBy}, from the mean stats of about ${matches} matches.`,
    '',
    figure('samples', fit.samples.toLocaleString('en'), 'each the mean of some of a player’s matches'),
    figure('R²', fit.r2.toFixed(3), 'share of the differences that the stats explain'),
    figure('R², held out', fit.heldOutR2.toFixed(3), 'the same for held-out players'),
    figure('error, held out', fit.heldOutError.toFixed(3), 'root mean squared, in points of the rating'),
    figure('error of the mean', fit.errorOfMean.toFixed(3), 'the same with every player placed at the mean'),
    figure('ridge', String(ridge), 'the strength with the lowest held-out error'),
    '',
    poor === null ? 'Good enough to place newcomers.' : `A pool would not place newcomers by this: ${poor}`,
    '',
    `The strongest of ${counted(model.columns.length, 'stat')}, in points of the rating for a standard deviation more:`,
    ...strongest.map(({ stat, weight }) => `  ${stat.padEnd(width)}${signed(weight, 3).padStart(8)}`),
    '',
  ].join('\n');
}

/** The same as one line of JSON. */
export function asJsonLine({ file, refused, ratedBy, model, poor, incomplete }: PlacementSummary): string {
  const { fit, ridge, intercept } = model;
  const line = {
    file,
    ...fit,
    rmse: fit.heldOutError,
    rmseOfMean: fit.errorOfMean,
    refused,
    incomplete,
    ratedBy,
    usable: poor === null,
    reason: poor,
    ridge,
    intercept,
    coefficients: coefficients(model),
  };
  return `${JSON.stringify(line)}\n`;
}

interface Coefficient {
  readonly stat: string;
  /** Rating points per standard deviation of the stat. */
  readonly weight: number;
}

/** The strongest first. */
function coefficients({ columns, weights }: SkillRegression): Coefficient[] {
  return columns
    .map(({ feature }, i) => ({ stat: nameOf(feature), weight: weights[i] ?? 0 }))
    .toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
}

function nameOf(feature: SkillRegression['columns'][number]['feature']): string {
  if (feature.kind === 'number') return feature.name;
  return feature.kind === 'category' ? `${feature.name} = ${feature.value}` : `${feature.name}: others`;
}
