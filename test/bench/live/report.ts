import {
  standardErrorOfDifference,
  meanOf,
  type LiveFigures,
  type MatchFigures,
} from '@muster/lab-simulation';
import { grid, type Paint } from '../table.js';

/** The figures of one policy over all matches. */
export interface Row extends LiveFigures {
  readonly policy: string;
  /** The fair share above the baseline's, and its standard error. */
  readonly lift: number;
  readonly liftError: number;
}

/** @param matches of the policy @param nothing the same matches under the baseline */
export function rowOf(
  policy: string,
  matches: readonly MatchFigures[],
  nothing: readonly MatchFigures[],
): Row {
  const figures = meanOf(matches);
  return {
    policy,
    ...figures,
    lift: figures.fairShare - meanOf(nothing).fairShare,
    liftError: standardErrorOfDifference(matches, nothing),
  };
}

const columns =
  'policy, fair share, lift, ±, stomps, mean |P − ½|, moves a match, annoyed, moved alive, left, refused, aim'.split(
    ', ',
  );

/** The required lift of the best policy. */
const leastLift = 0.1;

export function tableOf(rows: readonly Row[], paint: Paint): string {
  const best = rows.toSorted((a, b) => b.lift - a.lift)[0];
  return grid(
    columns,
    rows.map((row) => [
      row.policy,
      percent(row.fairShare),
      row.lift === 0 ? '–' : `${(100 * row.lift).toFixed(1)} points`,
      row.lift === 0 ? '–' : (100 * row.liftError).toFixed(1),
      percent(row.stompShare),
      row.unfairness.toFixed(3),
      row.movesPerMatch.toFixed(2),
      row.playersMovedPerMatch.toFixed(2),
      row.movedAlivePerMatch.toFixed(2),
      row.leftPerMatch.toFixed(1),
      row.refusedPerMatch.toFixed(1),
      row === best && rows.length > 1 ? aimOf(row, paint) : '',
    ]),
  );
}

function aimOf({ lift }: Row, paint: Paint): string {
  const met = lift >= leastLift;
  return paint(met, `the best, ≥ ${100 * leastLift} points: ${met ? 'met' : 'missed'}`);
}

/** The line of JSON: every figure of the table. */
export function jsonOf(rows: readonly Row[], run: Readonly<Record<string, string | number>>): string {
  const rounded = (_: string, value: unknown): unknown =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value;
  return JSON.stringify({ policies: rows, ...run }, rounded);
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
