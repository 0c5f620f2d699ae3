import { grid } from '../table.js';
import type { Outcome } from './trial.js';
import type { Found } from './tracks.js';

const head = [
  'signal',
  'history',
  'honest',
  'cheats',
  'as shipped: false alarms',
  'found',
  'after matches',
  'at 1 %: found',
  'after matches',
  'baseline',
  'found',
  'after matches',
  'better',
];

export function tableOf(outcomes: readonly Outcome[]): string {
  return grid(
    head,
    outcomes.map((outcome) => [
      outcome.kind,
      outcome.history,
      outcome.honest.toLocaleString('en-US'),
      `${outcome.cheats}`,
      `${(100 * outcome.asShipped.falseAlarms).toFixed(2)} %`,
      ...cellsOf(outcome.asShipped),
      ...cellsOf(outcome.signal),
      outcome.baseline.name,
      ...cellsOf(outcome.baseline),
      isBetter(outcome) ? 'yes' : 'no',
    ]),
  );
}

function cellsOf({ found, after }: Found): string[] {
  return [`${Math.round(100 * found)} %`, after === null ? '–' : `${after}`];
}

/** Finds more cheats at the same rate of false alarms, or as many after fewer matches. */
export function isBetter({ signal, baseline }: Outcome): boolean {
  if (signal.found !== baseline.found) return signal.found > baseline.found;
  return (signal.after ?? Infinity) < (baseline.after ?? Infinity);
}

export function summaryOf(outcome: Outcome): object {
  const { kind, history, honest, cheats, asShipped, signal, baseline } = outcome;
  return {
    kind,
    history,
    honest,
    cheats,
    asShipped: rounded(asShipped),
    signal: { ...rounded(signal), evidence: Number(Math.exp(signal.threshold).toPrecision(3)) },
    baseline: { name: baseline.name, ...rounded(baseline) },
    better: isBetter(outcome),
  };
}

function rounded({ threshold, falseAlarms, found, after }: Found): object {
  return {
    threshold: Number(threshold.toPrecision(4)),
    falseAlarms: Number(falseAlarms.toPrecision(3)),
    found: Number(found.toPrecision(3)),
    after,
  };
}
