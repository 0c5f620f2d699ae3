import { percentile } from '../../support/percentile.js';
import { grid, type Paint } from '../table.js';
import type { Survival } from './durability.js';
import { rankOf, type LoadResult } from './load.js';

/** The outcome of one load on one system. Times are milliseconds from the intended moment, spreads are rank points. */
export interface Row {
  readonly system: 'muster' | 'colyseus';
  readonly queue: string;
  readonly playersPerMatch: number;
  /** Arrivals per counted second. */
  readonly offered: number;
  /** Acknowledged joins per counted second. */
  readonly held: number;
  readonly acceptMsP50: number | null;
  readonly acceptMsP99: number | null;
  readonly matchMsP50: number | null;
  readonly matchMsP99: number | null;
  readonly seatMsP50: number | null;
  readonly seatMsP99: number | null;
  readonly assignMsP50: number | null;
  readonly assignMsP99: number | null;
  readonly matches: number;
  readonly spreadP50: number | null;
  readonly spreadP99: number | null;
  /** Acknowledged and without a match at the end. */
  readonly unmatched: number;
  readonly refused: number;
  readonly refusals: Readonly<Record<string, number>>;
  /** Processor seconds of the whole load, with warm-up and drain. */
  readonly cpuSeconds: Readonly<Record<string, number>> | null;
  readonly loadCpuSeconds: number;
}

export function rowOf(taken: LoadResult): Row {
  const { load, seen } = taken;
  const beginMs = load.warmUpSeconds * 1000;
  const endMs = beginMs + load.seconds * 1000;
  const players = seen.map((each, n) => ({
    ...each,
    atMs: load.moments[n] ?? 0,
    rank: rankOf(load.skills[n] ?? 0),
  }));
  const counted = players.filter(({ atMs }) => atMs >= beginMs);
  const held = players.filter(({ atMs, acceptedMs }) => {
    const acceptedAt = atMs + (acceptedMs ?? Infinity);
    return acceptedAt >= beginMs && acceptedAt < endMs;
  });
  const ranksOf = new Map<string, number[]>();
  const countedMatches = new Set<string>();
  for (const { matchId, rank, atMs } of players) {
    if (matchId === null) continue;
    ranksOf.set(matchId, [...(ranksOf.get(matchId) ?? []), rank]);
    if (atMs >= beginMs) countedMatches.add(matchId);
  }
  const spreads = [...countedMatches]
    .map((matchId) => ranksOf.get(matchId) ?? [])
    // A match is skipped if not all of its players are known.
    .filter((ranks) => ranks.length === load.playersPerMatch)
    .map((ranks) => Math.max(...ranks) - Math.min(...ranks));
  const accepted = counted.flatMap(({ acceptedMs }) => (acceptedMs === null ? [] : [acceptedMs]));
  const matched = counted.flatMap(({ matchedMs }) => (matchedMs === null ? [] : [matchedMs]));
  return {
    system: taken.system,
    queue: load.queue,
    playersPerMatch: load.playersPerMatch,
    offered: counted.length / load.seconds,
    held: held.length / load.seconds,
    acceptMsP50: quantile(accepted, 50),
    acceptMsP99: quantile(accepted, 99),
    matchMsP50: quantile(matched, 50),
    matchMsP99: quantile(matched, 99),
    seatMsP50: quantile(taken.seatMs, 50),
    seatMsP99: quantile(taken.seatMs, 99),
    assignMsP50: quantile(taken.assignMs, 50),
    assignMsP99: quantile(taken.assignMs, 99),
    matches: countedMatches.size,
    spreadP50: quantile(spreads, 50),
    spreadP99: quantile(spreads, 99),
    unmatched: counted.filter(({ acceptedMs, matchId }) => acceptedMs !== null && matchId === null).length,
    refused: Object.values(taken.refusals).reduce((sum, count) => sum + count, 0),
    refusals: taken.refusals,
    cpuSeconds: taken.cpuSeconds,
    loadCpuSeconds: taken.loadCpuSeconds,
  };
}

const columns = (
  'queue, offered/s, system, held/s, join p50 ms, p99, match p50 ms, p99, seat p50 ms, p99, formed to seat p99 ms, ' +
  'spread p50, p99, unmatched, refused, server CPU s, load CPU s, aim'
).split(', ');

/** Only Muster's rows are judged; the other system has no targets. */
export function tableOf(rows: readonly Row[], paint: Paint): string {
  return grid(
    columns,
    rows.map((row) => [
      row.queue,
      shown(row.offered, 0),
      row.system,
      shown(row.held, 0),
      shown(row.acceptMsP50, 1),
      shown(row.acceptMsP99, 1),
      shown(row.matchMsP50, 0),
      shown(row.matchMsP99, 0),
      shown(row.seatMsP50, 0),
      shown(row.seatMsP99, 0),
      shown(row.assignMsP99, 0),
      shown(row.spreadP50, 1),
      shown(row.spreadP99, 0),
      String(row.unmatched),
      String(row.refused),
      shown(row.cpuSeconds && Object.values(row.cpuSeconds).reduce((sum, each) => sum + each, 0), 1),
      shown(row.loadCpuSeconds, 1),
      row.system === 'muster' ? aimsOf(row, paint) : '',
    ]),
  );
}

/** The share of the offered load that counts as held: the last answers arrive after the last second. */
const heldShare = 0.99;
const mostAcceptMs = 50;
const mostAssignMs = 1_000;

function aimsOf(row: Row, paint: Paint): string {
  const aims = [
    [row.held >= heldShare * row.offered, 'holds what is offered'],
    [(row.acceptMsP99 ?? Infinity) < mostAcceptMs, `join p99 < ${mostAcceptMs} ms`],
    [(row.assignMsP99 ?? Infinity) < mostAssignMs, `formed to seat p99 < ${mostAssignMs} ms`],
  ] as const;
  return aims.map(([met, aim]) => paint(met, `${aim}: ${met ? 'met' : 'missed'}`)).join(', ');
}

export function survivalTableOf(survivals: readonly Survival[], paint: Paint): string {
  return grid(
    ['system', 'killed -9', 'waited', 'still queued', 'aim'],
    survivals.map(({ system, killed, waited, left }) => [
      system,
      killed,
      String(waited),
      String(left),
      system === 'muster' ? paint(left === waited, `all: ${left === waited ? 'met' : 'missed'}`) : '',
    ]),
  );
}

/** The line of JSON: every figure of the tables. */
export function jsonOf(rows: readonly Row[], survivals: readonly Survival[]): string {
  const rounded = (_: string, value: unknown): unknown =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value;
  return JSON.stringify({ rows, survivals }, rounded);
}

/** null without values. */
function quantile(values: readonly number[], p: number): number | null {
  return values.length === 0 ? null : percentile(values, p);
}

function shown(value: number | null, digits: number): string {
  return value === null ? '–' : value.toFixed(digits);
}
