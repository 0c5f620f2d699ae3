import type { PredictionScore } from '@muster/skill';
import type { Figures } from './figures.js';

/** The result of a replay. */
export interface Summary extends Figures {
  readonly file: string;
  readonly pool: string;
  /** Rows read: new, known and refused. */
  readonly matches: number;
  readonly new: number;
  readonly known: number;
  readonly refused: number;
}

/** The summary as a table as text. */
export function table({
  file,
  pool,
  matches,
  new: added,
  known,
  refused,
  scored,
  last80,
  manyTeams,
}: Summary): string {
  const width = Math.max(5, String(matches).length);
  const count = (label: string, n: number, more = ''): string =>
    `  ${label.padEnd(20)}${String(n).padStart(width)}${more}`;
  return [
    `${file} in pool ${pool}`,
    '',
    count('matches read', matches),
    count('rated now', added, ' new'),
    count('known before', known),
    count('refused rows', refused),
    '',
    'Predictions made before each match   matches  decided  accuracy  log-loss   Brier',
    score('  two teams', scored),
    score('  last 80 % of the decided', last80),
    `  more than two teams${String(manyTeams).padStart(23)}  (not scored)`,
    '',
  ].join('\n');
}

function score(label: string, { matches, decided, accuracy, logLoss, brier }: PredictionScore): string {
  const figure = (value: number, of: number): string => (of === 0 ? '–' : value.toFixed(3));
  return [
    label.padEnd(35),
    String(matches).padStart(9),
    String(decided).padStart(9),
    figure(accuracy, decided).padStart(10),
    figure(logLoss, matches).padStart(10),
    figure(brier, matches).padStart(8),
  ].join('');
}

/** The summary as one line of JSON; a figure without matches is null. */
export function asJsonLine(summary: Summary): string {
  const { scored, last80 } = summary;
  return `${JSON.stringify({ ...summary, scored: figures(scored), last80: figures(last80) })}\n`;
}

function figures({ matches, decided, accuracy, logLoss, brier }: PredictionScore): object {
  const of = (value: number, counted: number): number | null => (counted === 0 ? null : value);
  return {
    matches,
    decided,
    accuracy: of(accuracy, decided),
    logLoss: of(logLoss, matches),
    brier: of(brier, matches),
  };
}
