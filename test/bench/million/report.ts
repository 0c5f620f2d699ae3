import { percentile } from '../../support/percentile.js';
import { countsPer, type Counts } from '../queue/counters.js';
import { grid, type Paint } from '../table.js';

/** The outcome of one run. Times are milliseconds from the intended moment, of the counted seconds alone. */
export interface Outcome {
  readonly players: number;
  readonly servers: number;
  readonly seconds: number;
  /** Tickets that were to arrive in the counted seconds. */
  readonly offered: number;
  /** Those acknowledged in them. */
  readonly held: number;
  readonly joinMs: readonly number[];
  readonly matchMs: readonly number[];
  readonly seatMs: readonly number[];
  readonly matches: number;
  readonly unmatched: number;
  /** Acknowledged, and at the end neither in a match nor in Redis. */
  readonly lost: number;
  readonly refusals: Readonly<Record<string, number>>;
  /** Results that were to be reported in the counted seconds, and those acknowledged in them. */
  readonly resultsOffered: number;
  readonly resultsHeld: number;
  /** Of the whole run: acknowledged results, and those in the ratings at the end. */
  readonly reported: number;
  readonly rated: number;
  readonly ratedMsP99: number | null;
  /** Tickets of rated matches that still hold their players at the end, of those looked at. */
  readonly heldTickets: number;
  readonly heartbeats: number;
  /** Servers that are not ready at the end, and live sessions that were ended without a result. */
  readonly serversLost: number;
  readonly sessionsLost: number;
  readonly cpuSeconds: Readonly<Record<string, number>> | null;
  /** Cores while servers send heartbeats and no ticket arrives. */
  readonly quietCores: number | null;
  readonly loadCores: number;
  readonly memoryMb: Readonly<Record<string, number>> | null;
  readonly redisMb: number;
  readonly databaseGb: number;
  readonly startSeconds: number;
  readonly counts: { readonly before: Counts; readonly after: Counts };
  /** Statements of Postgres that took most time, and slow commands of Redis. */
  readonly costly: readonly Costly[];
}

export interface Costly {
  readonly what: string;
  readonly calls: number;
  readonly totalMs: number;
}

/** A run in the figures of the line of JSON. */
export interface Row {
  readonly players: number;
  readonly servers: number;
  readonly ticketsOffered: number;
  readonly ticketsPerSecond: number;
  readonly cores: number | null;
  readonly coresBy: Readonly<Record<string, number>> | null;
  readonly quietCores: number | null;
  readonly loadCores: number;
  readonly joinMsP50: number | null;
  readonly joinMsP99: number | null;
  readonly matchMsP50: number | null;
  readonly matchMsP99: number | null;
  readonly seatMsP50: number | null;
  readonly seatMsP99: number | null;
  readonly matches: number;
  readonly unmatched: number;
  readonly refused: number;
  readonly lost: number;
  readonly rated: number;
  readonly reported: number;
  readonly ratedMsP99: number | null;
  readonly heldTickets: number;
  readonly resultsOffered: number;
  readonly resultsPerSecond: number;
  readonly heartbeatsPerSecond: number;
  readonly serversLost: number;
  readonly sessionsLost: number;
  readonly memoryMb: Readonly<Record<string, number>> | null;
  readonly redisMb: number;
  readonly databaseGb: number;
  readonly startSeconds: number;
  readonly perMatch: Counts;
  readonly holds: boolean;
}

/** The share of the offered load that counts as held; of few results, one may be answered after the last second. */
const heldShare = 0.98;
const late = 1;
export const mostJoinMs = 50;

export function rowOf(taken: Outcome): Row {
  const { seconds, cpuSeconds, counts, matches } = taken;
  const coresBy =
    cpuSeconds &&
    Object.fromEntries(Object.entries(cpuSeconds).map(([name, each]) => [name, rounded(each / seconds, 2)]));
  return {
    players: taken.players,
    servers: taken.servers,
    ticketsOffered: rounded(taken.offered / seconds, 1),
    ticketsPerSecond: rounded(taken.held / seconds, 1),
    cores: cpuSeconds && rounded(sum(Object.values(cpuSeconds)) / seconds, 2),
    coresBy,
    quietCores: taken.quietCores && rounded(taken.quietCores, 2),
    loadCores: rounded(taken.loadCores, 2),
    joinMsP50: quantile(taken.joinMs, 50),
    joinMsP99: quantile(taken.joinMs, 99),
    matchMsP50: quantile(taken.matchMs, 50),
    matchMsP99: quantile(taken.matchMs, 99),
    seatMsP50: quantile(taken.seatMs, 50),
    seatMsP99: quantile(taken.seatMs, 99),
    matches,
    unmatched: taken.unmatched,
    refused: sum(Object.values(taken.refusals)),
    lost: taken.lost,
    rated: taken.rated,
    reported: taken.reported,
    ratedMsP99: taken.ratedMsP99 && rounded(taken.ratedMsP99, 1),
    heldTickets: taken.heldTickets,
    resultsOffered: rounded(taken.resultsOffered / seconds, 1),
    resultsPerSecond: rounded(taken.resultsHeld / seconds, 1),
    heartbeatsPerSecond: Math.round(taken.heartbeats / seconds),
    serversLost: taken.serversLost,
    sessionsLost: taken.sessionsLost,
    memoryMb: taken.memoryMb,
    redisMb: Math.round(taken.redisMb),
    databaseGb: rounded(taken.databaseGb, 2),
    startSeconds: rounded(taken.startSeconds, 1),
    perMatch: countsPer(Math.max(1, matches), counts.before, counts.after),
    holds: holds(taken),
  };
}

/** Whether the system takes what is offered, loses nothing, and rates everything that is reported. */
export function holds(taken: Outcome): boolean {
  return flawsOf(taken).length === 0;
}

/** What keeps a run from holding, in words. */
export function flawsOf(taken: Outcome): string[] {
  const { held, offered, resultsHeld, resultsOffered, lost, rated, reported } = taken;
  return [
    ...(held < heldShare * offered - late ? [`${held} of ${offered} tickets were taken in time`] : []),
    ...(resultsHeld < heldShare * resultsOffered - late
      ? [`${resultsHeld} of ${resultsOffered} results were taken in time`]
      : []),
    ...(lost > 0 ? [`${lost} tickets are lost`] : []),
    ...(rated < reported ? [`${rated} of ${reported} results are rated`] : []),
    ...(taken.heldTickets > 0 ? [`${taken.heldTickets} tickets of rated matches hold their players`] : []),
    ...(taken.serversLost > 0 ? [`${taken.serversLost} servers were judged lost`] : []),
    ...(taken.sessionsLost > 0 ? [`${taken.sessionsLost} live sessions were ended`] : []),
  ];
}

/** A rate and whether it held. */
export interface Tried {
  readonly rate: number;
  readonly holds: boolean;
}

/** Rates closer than this share are not told apart. */
const closeEnough = 0.05;

/**
 * The next rate of the search for the highest that holds: halves from a first one that does not hold, then bisection.
 *
 * @returns null when the search is over: the first rate holds, or the highest that holds is known closely
 */
export function nextRate(tried: readonly Tried[]): number | null {
  const held = Math.max(0, ...tried.filter((each) => each.holds).map(({ rate }) => rate));
  const missed = Math.min(...tried.filter((each) => !each.holds).map(({ rate }) => rate));
  if (!Number.isFinite(missed) || missed - held <= closeEnough * missed) return null;
  return rounded((held + missed) / 2, 1);
}

/** The highest rate that held; null without one. */
export function kneeOf(tried: readonly Tried[]): number | null {
  const held = tried.filter((each) => each.holds).map(({ rate }) => rate);
  return held.length === 0 ? null : Math.max(...held);
}

/** Tables for people. */
export function tablesOf(taken: Outcome, paint: Paint): string {
  const row = rowOf(taken);
  const shown = (value: number | null, digits = 0): string => (value === null ? '–' : value.toFixed(digits));
  const pair = (low: number | null, high: number | null): string => `${shown(low, 1)} / ${shown(high, 1)}`;
  const join = (row.joinMsP99 ?? Infinity) < mostJoinMs;
  const flaws = flawsOf(taken);
  const lines: [string, string][] = [
    [
      'live players, servers',
      `${row.players.toLocaleString('en-US')}, ${row.servers.toLocaleString('en-US')}`,
    ],
    ['tickets/s, offered and taken', `${row.ticketsOffered}, ${row.ticketsPerSecond}`],
    ['results/s, offered and taken', `${row.resultsOffered}, ${row.resultsPerSecond}`],
    ['heartbeats/s', shown(row.heartbeatsPerSecond)],
    ['join p50 / p99, ms', pair(row.joinMsP50, row.joinMsP99)],
    ['matched p50 / p99, ms', pair(row.matchMsP50, row.matchMsP99)],
    ['seat p50 / p99, ms', pair(row.seatMsP50, row.seatMsP99)],
    ['rated p99, ms', shown(row.ratedMsP99)],
    [
      'matches; tickets unmatched, refused, lost',
      `${row.matches}; ${row.unmatched}, ${row.refused}, ${row.lost}`,
    ],
    ['results reported, rated', `${row.reported}, ${row.rated}`],
    ['servers lost, live sessions ended', `${row.serversLost}, ${row.sessionsLost}`],
    [
      'cores; with heartbeats alone; load generator',
      `${shown(row.cores, 2)}; ${shown(row.quietCores, 2)}; ${row.loadCores}`,
    ],
    ['cores by process', listed(row.coresBy)],
    ['memory by process, MB', listed(row.memoryMb)],
    ['Redis data, MB; database, GB', `${row.redisMb}; ${row.databaseGb}`],
    ['start with these stores, s', shown(row.startSeconds, 1)],
    ['a match asks for', listed({ ...row.perMatch })],
    [`join p99 < ${mostJoinMs} ms`, paint(join, join ? 'met' : 'missed')],
    ['holds', paint(row.holds, row.holds ? 'yes' : `no: ${flaws.join('; ')}`)],
  ];
  const costly = taken.costly.map(({ what, calls, totalMs }) => [
    what,
    String(calls),
    totalMs.toFixed(0),
    (totalMs / Math.max(1, calls)).toFixed(2),
  ]);
  return `${grid(['figure', 'value'], lines)}\n\n${grid(['what took most time in the stores', 'calls', 'ms', 'ms each'], costly)}`;
}

/** In words: the rate that holds. */
export function kneeText(tried: readonly Tried[], asked: number): string {
  const knee = kneeOf(tried);
  if (knee === asked) return `${asked} tickets/s hold.`;
  if (tried.length === 1)
    return `${asked} tickets/s do not hold on this machine. --find-knee looks for the rate that does.`;
  return knee === null
    ? `None of ${tried.map(({ rate }) => rate).join(', ')} tickets/s holds on this machine.`
    : `${asked} tickets/s do not hold on this machine; ${knee} do.`;
}

/** The line of JSON. */
export function jsonOf(taken: Outcome, tried: readonly Tried[]): string {
  return JSON.stringify({ ...rowOf(taken), knee: kneeOf(tried), tried });
}

function listed(values: Readonly<Record<string, number>> | null): string {
  return Object.entries(values ?? {})
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

function quantile(values: readonly number[], p: number): number | null {
  return values.length === 0 ? null : rounded(percentile(values, p), 1);
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
