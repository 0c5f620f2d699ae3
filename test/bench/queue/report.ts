import { percentile } from '../../support/percentile.js';
import { grid, type Paint } from '../table.js';
import type { Survival } from './durability.js';
import { countsPer, type Counts } from './counters.js';
import { rankOf, type LoadResult } from './load.js';

/** Milliseconds of processor time by process, the idle system's share subtracted. */
type ByProcess = Readonly<Record<string, number>>;

/** The outcome of one load on one system. Times are milliseconds from the intended moment, spreads are rank points. */
export interface Row {
  readonly system: 'muster' | 'colyseus';
  readonly queue: string;
  readonly playersPerMatch: number;
  /** Arrivals per counted second. */
  readonly offered: number;
  /** Acknowledged joins per counted second. */
  readonly held: number;
  readonly joinMsP50: number | null;
  readonly joinMsP99: number | null;
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
  /** Acknowledged, and at the end neither in a match nor queued. */
  readonly lost: number;
  /** Results acknowledged, and those in the ratings at the end; null for a system without results. */
  readonly reported: number | null;
  readonly rated: number | null;
  readonly ratedMsP99: number | null;
  /** The processor time of the counted seconds by the tickets accepted in them; null if it is unknown. */
  readonly cpuMsPerTicket: number | null;
  /** The same by the matches formed in them. */
  readonly cpuMsPerMatch: number | null;
  readonly cpuMsPerMatchBy: ByProcess | null;
  /** Cores in use before the load, of all processes. */
  readonly idleCores: number | null;
  /** What a match asked of the stores in the counted seconds, with the share of the idle system. */
  readonly perMatch: Counts | null;
  /** Processor seconds of the load generator, with warm-up and drain. */
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
  const isCounted = (at: number): boolean => at >= beginMs && at < endMs;
  const held = players.filter(({ atMs, acceptedMs }) => isCounted(atMs + (acceptedMs ?? Infinity)));
  const formed = new Set(
    players.flatMap(({ atMs, matchedMs, matchId }) =>
      matchId !== null && isCounted(atMs + (matchedMs ?? Infinity)) ? [matchId] : [],
    ),
  );
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
    joinMsP50: quantile(accepted, 50),
    joinMsP99: quantile(accepted, 99),
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
    lost:
      players.filter(({ acceptedMs, matchId }) => acceptedMs !== null && matchId === null).length -
      taken.waiting,
    reported: taken.results?.reported ?? null,
    rated: taken.results?.rated ?? null,
    ratedMsP99: taken.results?.ratedMsP99 ?? null,
    ...costOf(taken, held.length, formed.size),
    loadCpuSeconds: taken.loadCpuSeconds,
  };
}

/** The cost of a ticket and of a match in the counted seconds. */
function costOf(
  { load, cpuSeconds, idleCores, counts }: LoadResult,
  tickets: number,
  matches: number,
): Pick<Row, 'cpuMsPerTicket' | 'cpuMsPerMatch' | 'cpuMsPerMatchBy' | 'idleCores' | 'perMatch'> {
  const busyMs =
    cpuSeconds &&
    Object.entries(cpuSeconds).map(
      ([name, seconds]) => [name, 1000 * (seconds - (idleCores?.[name] ?? 0) * load.seconds)] as const,
    );
  const totalMs = busyMs && busyMs.reduce((sum, [, ms]) => sum + ms, 0);
  return {
    cpuMsPerTicket: totalMs && totalMs / tickets,
    cpuMsPerMatch: totalMs && totalMs / matches,
    cpuMsPerMatchBy: busyMs && Object.fromEntries(busyMs.map(([name, ms]) => [name, ms / matches])),
    idleCores: idleCores && Object.values(idleCores).reduce((sum, each) => sum + each, 0),
    perMatch: counts && countsPer(matches, counts.before, counts.after),
  };
}

const columns = (
  'queue, offered/s, system, held/s, join p50 ms, p99, match p50 ms, p99, seat p50 ms, p99, formed to seat p99 ms, ' +
  'rated p99 ms, spread p50, p99, unmatched, refused, lost, aim'
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
      shown(row.joinMsP50, 1),
      shown(row.joinMsP99, 1),
      shown(row.matchMsP50, 0),
      shown(row.matchMsP99, 0),
      shown(row.seatMsP50, 0),
      shown(row.seatMsP99, 0),
      shown(row.assignMsP99, 0),
      shown(row.ratedMsP99, 0),
      shown(row.spreadP50, 1),
      shown(row.spreadP99, 0),
      String(row.unmatched),
      String(row.refused),
      String(row.lost),
      row.system === 'muster' ? aimsOf(row, paint) : '',
    ]),
  );
}

const costColumns = (
  'queue, offered/s, system, CPU ms a ticket, a match, idle cores, load CPU s, Redis commands a match, scripts, ' +
  'SQL statements, commits, jobs, gRPC calls'
).split(', ');

/** Processor time and work of the stores. */
export function costTableOf(rows: readonly Row[]): string {
  return grid(
    costColumns,
    rows.map(({ perMatch, ...row }) => [
      row.queue,
      shown(row.offered, 0),
      row.system,
      shown(row.cpuMsPerTicket, 2),
      shown(row.cpuMsPerMatch, 2),
      shown(row.idleCores, 3),
      shown(row.loadCpuSeconds, 1),
      ...[
        perMatch?.redisCommands,
        perMatch?.scripts,
        perMatch?.statements,
        perMatch?.commits,
        perMatch?.jobs,
        perMatch?.grpcCalls,
      ].map((count) => shown(count ?? null, 2)),
    ]),
  );
}

/** Processor milliseconds of a match by process. */
export function processTableOf(rows: readonly Row[]): string {
  const ours = rows.filter(({ system }) => system === 'muster');
  const names = [...new Set(ours.flatMap(({ cpuMsPerMatchBy }) => Object.keys(cpuMsPerMatchBy ?? {})))];
  return grid(
    ['queue', 'offered/s', ...names.map((name) => `${name} ms a match`)],
    ours.map(({ queue, offered, cpuMsPerMatchBy }) => [
      queue,
      shown(offered, 0),
      ...names.map((name) => shown(cpuMsPerMatchBy?.[name] ?? null, 2)),
    ]),
  );
}

/** The highest rate of each queue at which every aim was met; null if there is none. */
export function kneesOf(rows: readonly Row[]): Record<string, number | null> {
  const queues = [...new Set(rows.map(({ queue }) => queue))];
  return Object.fromEntries(
    queues.map((queue) => {
      const met = rows.filter(
        (row) => row.system === 'muster' && row.queue === queue && aims(row).every(([isMet]) => isMet),
      );
      return [queue, met.length === 0 ? null : Math.round(Math.max(...met.map(({ offered }) => offered)))];
    }),
  );
}

/** The share of the offered load that counts as held: the last answers arrive after the last second. */
const heldShare = 0.99;
const mostJoinMs = 50;
const mostAssignMs = 1_000;
const mostRatedMs = 5_000;

function aims(row: Row): readonly (readonly [boolean, string])[] {
  return [
    [row.held >= heldShare * row.offered, 'holds what is offered'],
    [(row.joinMsP99 ?? Infinity) < mostJoinMs, `join p99 < ${mostJoinMs} ms`],
    [(row.assignMsP99 ?? Infinity) < mostAssignMs, `formed to seat p99 < ${mostAssignMs} ms`],
    [row.lost === 0, 'nothing lost'],
    ...(row.reported === null
      ? []
      : ([[row.rated === row.reported && (row.ratedMsP99 ?? 0) < mostRatedMs, 'rated within 5 s']] as const)),
  ];
}

function aimsOf(row: Row, paint: Paint): string {
  return aims(row)
    .map(([met, aim]) => paint(met, `${aim}: ${met ? 'met' : 'missed'}`))
    .join(', ');
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
  return JSON.stringify({ rows, knees: kneesOf(rows), survivals }, rounded);
}

/** null without values. */
function quantile(values: readonly number[], p: number): number | null {
  return values.length === 0 ? null : percentile(values, p);
}

function shown(value: number | null, digits: number): string {
  return value === null ? '–' : value.toFixed(digits);
}
