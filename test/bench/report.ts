import type { Beside, Result } from './measure.js';
import type { RowName } from './rows.js';

/** One row in the form of the JSON output. */
export interface RowReport {
  readonly row: RowName;
  readonly weights: 'doubles' | 'integers';
  readonly n: number;
  readonly shape: string | null;
  readonly pools: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly gosperP50Ms: number | null;
  /** Gosper was cut off: its p50, and so the ratio, is a lower bound. */
  readonly gosperCapped: boolean;
  readonly enumerationP50Ms: number | null;
  readonly enumerationCapped: boolean;
  /** Gosper's p50 divided by that of Muster, on Gosper's pools. */
  readonly ratio: number | null;
  /** Share of the pools with a proof. */
  readonly proven: number;
  readonly peakMb: number;
  /** Medians. */
  readonly operations: number;
  readonly gosperOperations: number | null;
  readonly enumerationOperations: number | null;
  /** The largest gap, as a share of the mean player's weight. */
  readonly gap: number;
  /** The kind of the slowest pool. */
  readonly slowest: string;
}

export function reportOf(result: Result): RowReport {
  const { row, gosper, enumeration } = result;
  return {
    row: row.name,
    weights: row.weights,
    n: row.n,
    shape: row.shape,
    pools: result.pools,
    p50Ms: rounded(result.p50Ms),
    p99Ms: rounded(result.p99Ms),
    gosperP50Ms: gosper && rounded(gosper.p50Ms),
    gosperCapped: gosper?.capped ?? false,
    enumerationP50Ms: enumeration && rounded(enumeration.p50Ms),
    enumerationCapped: enumeration?.capped ?? false,
    ratio: gosper && rounded(gosper.p50Ms / result.p50MsBeside),
    proven: rounded(result.proven),
    peakMb: rounded(result.peakMb),
    operations: result.operations,
    gosperOperations: operationsOf(gosper),
    enumerationOperations: operationsOf(enumeration),
    gap: rounded(result.gap),
    slowest: result.slowest,
  };
}

function operationsOf(beside: Beside | null): number | null {
  return beside && beside.operations;
}

/** Rounded to three digits. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3));
}

/** A target of a row. */
interface Aim {
  readonly of: (row: RowReport) => boolean;
  readonly says: string;
  readonly isMet: (row: RowReport) => boolean;
}

const p99 = (of: Aim['of'], most: number): Aim => ({
  of,
  says: `p99 ≤ ${most} ms`,
  isMet: (row) => row.p99Ms <= most,
});
const faster = (of: Aim['of'], least: number): Aim => ({
  of,
  says: `≥ ${least}×`,
  isMet: (row) => row.ratio !== null && row.ratio >= least,
});
const proven = (of: Aim['of']): Aim => ({ of, says: 'all proven', isMet: (row) => row.proven === 1 });
const is =
  (name: RowName, weights: 'doubles' | 'integers', n?: number): Aim['of'] =>
  (row) =>
    row.row === name && row.weights === weights && (n === undefined || row.n === n);

const aims: readonly Aim[] = [
  faster(is('T2-top', 'doubles', 16), 60),
  faster(is('T2-top', 'doubles', 20), 500),
  ...(['T2-top', 'T2-free'] as const).flatMap((name) => [
    p99(is(name, 'doubles', 24), 15),
    p99(is(name, 'doubles', 28), 150),
  ]),
  ...(['T2-top', 'T2-free'] as const).flatMap((name) => [
    faster(is(name, 'integers', 24), 25),
    p99(is(name, 'integers'), 10),
    proven(is(name, 'integers')),
  ]),
  faster(is('T1', 'doubles', 24), 80),
  p99(is('T1', 'doubles', 32), 5),
  p99(is('T1', 'doubles', 40), 35),
  p99(is('T1', 'doubles', 48), 500),
  proven(is('T1', 'doubles', 48)),
  { of: is('T1', 'doubles', 48), says: '≤ 200 MB', isMet: (row) => row.peakMb <= 200 },
  p99(is('T1', 'integers'), 0.5),
  p99(is('T4T5', 'doubles', 32), 10),
  p99(is('T4T5', 'integers', 32), 10),
  p99(is('T6', 'doubles', 25), 10),
  proven(is('T6', 'doubles', 25)),
  p99(is('T6', 'doubles', 36), 50),
  proven(is('T6', 'doubles', 36)),
  p99(is('T6', 'integers', 25), 5),
  p99(is('T6', 'integers', 100), 5),
  proven(is('T6', 'integers', 100)),
  p99(is('T6', 'doubles', 100), 100),
  {
    of: is('T6', 'doubles', 100),
    says: 'gap < 0.001 of a player',
    isMet: (row) => row.gap < 1e-3,
  },
  p99(is('T8', 'doubles', 24), 3),
  p99(is('T10', 'doubles', 32), 10),
];

/** The targets of a row, split into met and missed. */
export function aimsOf(row: RowReport): { readonly met: string[]; readonly missed: string[] } {
  const own = aims.filter((aim) => aim.of(row));
  return {
    met: own.filter((aim) => aim.isMet(row)).map(({ says }) => says),
    missed: own.filter((aim) => !aim.isMet(row)).map(({ says }) => says),
  };
}

/** How the work grows from one size to the next. */
export interface Growth {
  readonly row: RowName;
  readonly from: number;
  readonly to: number;
  /** The factor of operations for four more players. */
  readonly ours: number;
  readonly gosper: number | null;
  readonly enumeration: number | null;
  readonly most: number;
}

/** Doubles only: with integers the work ends before it grows. */
const mostGrowth: Partial<Record<RowName, number>> = { T1: 5, 'T2-top': 12, 'T2-free': 12 };

export function growthOf(rows: readonly RowReport[]): Growth[] {
  return (['T1', 'T2-top', 'T2-free'] as const).flatMap((name) => {
    const own = rows
      .filter(({ row, weights }) => row === name && weights === 'doubles')
      .toSorted((a, b) => a.n - b.n);
    return own.slice(1).flatMap((row, i) => {
      const before = own[i];
      if (!before) return [];
      const times = (a: number | null, b: number | null): number | null =>
        a && b ? (b / a) ** (4 / (row.n - before.n)) : null;
      return {
        row: name,
        from: before.n,
        to: row.n,
        ours: times(before.operations, row.operations) ?? NaN,
        gosper: times(before.gosperOperations, row.gosperOperations),
        enumeration: times(before.enumerationOperations, row.enumerationOperations),
        most: mostGrowth[name] ?? Infinity,
      };
    });
  });
}
