import { grid, type Paint } from '../table.js';
import type { PassReport } from './pass.js';
import type { Steady } from './steady.js';

/** One matcher on one pool. Figures are null if it was stopped. */
export interface Row {
  readonly matcher: string;
  readonly case: string;
  readonly waiting: number;
  readonly passMsP50: number | null;
  readonly passMsP99: number | null;
  readonly matches: number | null;
  /** Ticks until all tickets of the pool are tried, the slowest of them, and the matches of all. */
  readonly ticks: number | null;
  readonly slowestTickMs: number | null;
  readonly matchesInAll: number | null;
  /** Share of the waiting players that are in a match. */
  readonly spreadP50: number | null;
  readonly spreadP99: number | null;
  readonly unfairnessMean: number | null;
  readonly unfairnessP99: number | null;
  readonly bytesPerTicket: number | null;
  readonly rebuildMs: number | null;
  readonly intakeMs: number | null;
  readonly idleMs: number | null;
}

/** The maximum p99 of a tick of Muster's matcher, by the number of waiting tickets. */
const mostMs: Readonly<Record<number, number>> = { 100_000: 100, 1_000_000: 1_500 };
const mostBytes = 200;

export function rowOf(matcher: string, caseName: string, waiting: number, report: PassReport | null): Row {
  const mean = report && report.unfairness.reduce((sum, each) => sum + each, 0) / report.unfairness.length;
  return {
    matcher,
    case: caseName,
    waiting,
    passMsP50: report && quantile(report.passMs, 0.5),
    passMsP99: report && quantile(report.passMs, 0.99),
    matches: report && report.matches,
    ticks: report && report.ticks,
    slowestTickMs: report && report.slowestMs,
    matchesInAll: report && report.matchesInAll,
    spreadP50: report && quantile(report.spreads, 0.5),
    spreadP99: report && quantile(report.spreads, 0.99),
    unfairnessMean: mean !== null && Number.isFinite(mean) ? mean : null,
    unfairnessP99: report && quantile(report.unfairness, 0.99),
    bytesPerTicket: report && report.bytesPerTicket,
    rebuildMs: report && report.rebuildMs,
    intakeMs: report && report.intakeMs,
    idleMs: report && report.idleMs,
  };
}

const columns =
  'case, waiting, matcher, p50 ms, p99 ms, matches, ticks, slowest ms, matches in all, spread p50, p99, mean |P − ½|, p99, bytes, rebuild ms, 10k more ms, idle ms, aim'.split(
    ', ',
  );

export function tableOf(rows: readonly Row[], paint: Paint): string {
  return grid(
    columns,
    rows.map((row) => [
      row.case,
      row.waiting.toLocaleString('en'),
      row.matcher,
      row.passMsP50 === null ? 'stopped' : shown(row.passMsP50, 1),
      shown(row.passMsP99, 1),
      row.matches === null ? '–' : row.matches.toLocaleString('en'),
      shown(row.ticks, 0),
      shown(row.slowestTickMs, 1),
      row.matchesInAll === null ? '–' : row.matchesInAll.toLocaleString('en'),
      shown(row.spreadP50, 3),
      shown(row.spreadP99, 2),
      shown(row.unfairnessMean, 5),
      shown(row.unfairnessP99, 4),
      shown(row.bytesPerTicket, 0),
      shown(row.rebuildMs, 0),
      shown(row.intakeMs, 0),
      shown(row.idleMs, 1),
      aimOf(row, paint),
    ]),
  );
}

function aimOf(row: Row, paint: Paint): string {
  if (row.matcher !== 'muster') return '';
  const most = mostMs[row.waiting];
  const time = most === undefined ? [] : [[(row.passMsP99 ?? Infinity) <= most, `≤ ${most} ms`] as const];
  // In small pools most memory is spare capacity of the columns.
  const memory =
    row.waiting < 100_000
      ? []
      : [[(row.bytesPerTicket ?? Infinity) <= mostBytes, `≤ ${mostBytes} bytes`] as const];
  return [...time, ...memory].map(([met, aim]) => paint(met, `${aim}: ${met ? 'met' : 'missed'}`)).join(', ');
}

/** Ticks of small pools; empty text where none were counted. */
export function steadyTable(steady: readonly Steady[]): string {
  if (steady.length === 0) return '';
  return grid(
    ['arrivals a second', 'waiting', 'matches a second', 'CPU ms a tick', 'CPU ms a second'],
    steady.map((each) => [
      String(each.arrivalsPerSecond),
      shown(each.waiting, 0),
      shown(each.matchesPerSecond, 1),
      shown(each.cpuMsPerTick, 2),
      shown(each.cpuMsPerSecond, 1),
    ]),
  );
}

/** The line of JSON: every figure of the table. */
export function jsonOf(rows: readonly Row[], steady: readonly Steady[]): string {
  const rounded = (_: string, value: unknown): unknown =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value;
  return JSON.stringify({ rows, steady }, rounded);
}

function quantile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? null;
}

function shown(value: number | null, digits: number): string {
  return value === null ? '–' : value.toFixed(digits);
}
