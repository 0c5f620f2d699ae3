import { linesPlot, type LinesPanel } from '@muster/plot';
import { percentile } from '../../support/percentile.js';
import { grid, type Paint } from '../table.js';
import type { Arrived, LaterCall } from './arrived.js';

/** What became of an acknowledged ticket. Times count from the beginning of the load. */
export interface Fate {
  readonly player: number;
  readonly formedMs: number;
  readonly placedMs: number | null;
  /** From the result until it was in the ratings. */
  readonly ratedMs: number | null;
}

/** What was seen of one load. */
export interface Outcome {
  readonly rate: number;
  readonly seconds: number;
  /** Milliseconds since the epoch. */
  readonly beginMs: number;
  /** The number of the first player. */
  readonly first: number;
  readonly arrived: readonly Arrived[];
  readonly later: readonly LaterCall[];
  /** By ticket, of those that found a match. */
  readonly fates: ReadonlyMap<string, Fate>;
  readonly lost: number;
  readonly unrated: number;
  readonly serversLost: number;
  readonly cpuSeconds: Readonly<Record<string, number>> | null;
  readonly loadCpuSeconds: number;
}

/** The figures of one load. Times are milliseconds from the intended moment of the arrival. */
export interface Row {
  /** Of the rate that is held. */
  readonly times: number;
  readonly offered: number;
  /** Tickets a second that were acknowledged within the limit of an answer, and found a match. */
  readonly goodput: number;
  readonly accepted: number;
  readonly acceptedMsP50: number | null;
  readonly acceptedMsP99: number | null;
  /** The share of arrivals that was refused. */
  readonly shed: number;
  readonly refusedMsP50: number | null;
  readonly refusedMsP99: number | null;
  readonly retryAfterP50: number | null;
  readonly retryAfterP99: number | null;
  /** Acknowledged, and neither in a match nor waiting for one at the end. */
  readonly lost: number;
  /** In a match without an answer that says so. */
  readonly unacknowledged: number;
  /** Answers that are neither a ticket nor a refusal that says when to come back. */
  readonly errors: Readonly<Record<string, number>>;
  readonly matchedMsP50: number | null;
  readonly matchedMsP99: number | null;
  readonly formedToPlacedMsP99: number | null;
  readonly ratedMsP99: number | null;
  readonly unrated: number;
  /** Calls of players whose ticket was acknowledged. */
  readonly laterMsP99: number | null;
  readonly laterFailed: number;
  readonly serversLost: number;
  readonly cores: number | null;
  readonly coresBy: Readonly<Record<string, number>> | null;
  readonly loadCores: number;
  /** How late the load generator sent. */
  readonly lateMsP99: number | null;
}

/** A player who waits longer for an answer is not served. */
const mostAnswerMs = 1_000;
export const mostAcceptedMs = 250;
export const leastGoodput = 0.9;

/** @param held the rate that is held, tickets a second */
export function rowOf(outcome: Outcome, held: number): Row {
  const { seconds, arrived, fates, later, cpuSeconds } = outcome;
  const accepted = arrived.filter(({ status }) => status === 201);
  const refused = arrived.filter(isRefusal);
  const known = new Set(accepted.map(({ player }) => player));
  const fatesOf = accepted.flatMap(({ ticketId, atMs }) => {
    const fate = fates.get(ticketId);
    return fate ? [{ ...fate, atMs }] : [];
  });
  const errors: Record<string, number> = {};
  for (const { status, problem } of arrived.filter((each) => each.status !== 201 && !isRefusal(each)))
    errors[`${status} ${problem}`] = (errors[`${status} ${problem}`] ?? 0) + 1;
  const good = accepted.filter(
    ({ answeredMs, ticketId }) => answeredMs <= mostAnswerMs && fates.has(ticketId),
  );
  const coresBy =
    cpuSeconds &&
    Object.fromEntries(Object.entries(cpuSeconds).map(([name, each]) => [name, rounded(each / seconds, 2)]));
  return {
    times: rounded(outcome.rate / held, 2),
    offered: rounded(arrived.length / seconds, 1),
    goodput: rounded(good.length / seconds, 1),
    accepted: rounded(accepted.length / seconds, 1),
    ...pair(
      'acceptedMs',
      accepted.map(({ answeredMs }) => answeredMs),
    ),
    shed: rounded(refused.length / Math.max(1, arrived.length), 4),
    ...pair(
      'refusedMs',
      refused.map(({ answeredMs }) => answeredMs),
    ),
    ...pair(
      'retryAfter',
      refused.map(({ retryAfterSeconds }) => retryAfterSeconds ?? 0),
    ),
    lost: outcome.lost,
    unacknowledged: [...fates.values()].filter(({ player }) => player >= outcome.first && !known.has(player))
      .length,
    errors,
    ...pair(
      'matchedMs',
      fatesOf.map(({ formedMs, atMs }) => formedMs - atMs),
    ),
    formedToPlacedMsP99: quantile(
      fatesOf.flatMap(({ formedMs, placedMs }) => (placedMs === null ? [] : [placedMs - formedMs])),
      99,
    ),
    ratedMsP99: quantile(
      fatesOf.flatMap(({ ratedMs }) => (ratedMs === null ? [] : [ratedMs])),
      99,
    ),
    unrated: outcome.unrated,
    laterMsP99: quantile(
      later.map(({ tookMs }) => tookMs),
      99,
    ),
    laterFailed: later.filter(({ status }) => status !== 200).length,
    serversLost: outcome.serversLost,
    cores: coresBy && rounded(sum(Object.values(coresBy)), 2),
    coresBy,
    loadCores: rounded(outcome.loadCpuSeconds / seconds, 2),
    lateMsP99: quantile(
      arrived.map(({ lateMs }) => lateMs),
      99,
    ),
  };
}

/** A refusal that says when to come back. */
const isRefusal = ({ status, retryAfterSeconds }: Arrived): boolean =>
  (status === 503 || status === 429) && retryAfterSeconds !== null;

/** The share of arrivals that may be refused at a rate that is held. */
const mostShed = 0.01;
/** How long the slowest hundredth of matches may take to be on a server. */
const mostPlacedMs = 2_000;

/** Whether a rate is held: all is taken in time, and what follows from it as well. */
export function isHeld(row: Row): boolean {
  return (
    row.shed <= mostShed &&
    (row.acceptedMsP99 ?? Infinity) <= mostAcceptedMs &&
    (row.formedToPlacedMsP99 ?? Infinity) <= mostPlacedMs &&
    row.lost === 0 &&
    Object.keys(row.errors).length === 0
  );
}

/** What is asked of the loads, and whether it is met. */
export function aimsOf(rows: readonly Row[]): readonly (readonly [boolean, string])[] {
  const once = rows.find(({ times }) => times === 1);
  return rows.flatMap((row) => {
    const at = `at ${row.times} times`;
    return [
      [
        (row.acceptedMsP99 ?? Infinity) <= mostAcceptedMs,
        `${at}, accepted within ${mostAcceptedMs} ms (p99)`,
      ],
      [row.lost === 0, `${at}, none lost`],
      [Object.keys(row.errors).length === 0, `${at}, every other answer is a refusal with Retry-After`],
      ...(once && row.times > 1
        ? ([
            [
              row.goodput >= leastGoodput * once.goodput,
              `${at}, at least ${100 * leastGoodput} % of the goodput at once`,
            ],
          ] as const)
        : []),
    ] as const;
  });
}

export function tableOf(rows: readonly Row[]): string {
  const shown = (value: number | null, digits = 0): string => (value === null ? '–' : value.toFixed(digits));
  const lines: readonly (readonly [string, (row: Row) => string])[] = [
    ['tickets/s offered', (row) => shown(row.offered)],
    ['tickets/s accepted', (row) => shown(row.accepted)],
    ['goodput, tickets/s', (row) => shown(row.goodput)],
    ['shed, %', (row) => shown(100 * row.shed, 1)],
    ['accepted p50 / p99, ms', (row) => `${shown(row.acceptedMsP50)} / ${shown(row.acceptedMsP99)}`],
    ['refused p50 / p99, ms', (row) => `${shown(row.refusedMsP50)} / ${shown(row.refusedMsP99)}`],
    ['Retry-After p50 / p99, s', (row) => `${shown(row.retryAfterP50)} / ${shown(row.retryAfterP99)}`],
    ['lost', (row) => `${row.lost}`],
    ['created without an answer', (row) => `${row.unacknowledged}`],
    ['matched p50 / p99, ms', (row) => `${shown(row.matchedMsP50)} / ${shown(row.matchedMsP99)}`],
    ['formed to placed p99, ms', (row) => shown(row.formedToPlacedMsP99)],
    ['rated p99, ms', (row) => shown(row.ratedMsP99)],
    ['own ticket read p99, ms', (row) => shown(row.laterMsP99)],
    ['cores', (row) => shown(row.cores, 2)],
    ['load generator and game servers, cores', (row) => shown(row.loadCores, 2)],
    ['sent late p99, ms', (row) => shown(row.lateMsP99)],
    ['other answers', (row) => wordsOf(row.errors)],
  ];
  return grid(
    ['times the held rate', ...rows.map(({ times }) => `${times}`)],
    lines.map(([name, cell]) => [name, ...rows.map(cell)]),
  );
}

const wordsOf = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([what, count]) => `${count} × ${what}`)
    .join(', ') || '0';

export function verdictsOf(rows: readonly Row[], paint: Paint): string {
  return aimsOf(rows)
    .map(([isMet, aim]) => paint(isMet, `${aim}: ${isMet ? 'met' : 'missed'}`))
    .join('\n');
}

/** The line of JSON. */
export const jsonOf = (rows: readonly Row[], held: number): string => JSON.stringify({ held, loads: rows });

/** Goodput, latency and share shed over the load. */
export function plotOf(rows: readonly Row[]): string {
  const panel = (
    title: string,
    unit: string,
    lines: Readonly<Record<string, (row: Row) => number | null>>,
    guide?: LinesPanel['guide'],
  ): LinesPanel => ({
    title,
    unit,
    lines: Object.entries(lines).map(([name, of]) => ({
      name,
      dots: true,
      points: rows.map((row) => ({ x: row.times, y: of(row) ?? NaN })),
    })),
    guide,
  });
  return linesPlot({
    title: 'Tickets under overload',
    x: { label: 'times the rate that is held', kind: 'number' },
    panels: [
      panel('Tickets', 'a second', { offered: (row) => row.offered, goodput: (row) => row.goodput }),
      panel(
        'Answer of POST /v1/tickets',
        'ms',
        {
          'accepted, p50': (row) => row.acceptedMsP50,
          'accepted, p99': (row) => row.acceptedMsP99,
          'refused, p99': (row) => row.refusedMsP99,
        },
        [{ y: mostAcceptedMs, label: 'aim' }],
      ),
      panel('Shed', '%', { shed: (row) => 100 * row.shed }),
      panel('Matches', 'ms', {
        'matched, p99': (row) => row.matchedMsP99,
        'formed to placed, p99': (row) => row.formedToPlacedMsP99,
      }),
    ],
  });
}

type Pair<N extends string> = { readonly [K in `${N}P50` | `${N}P99`]: number | null };

function pair<N extends string>(name: N, values: readonly number[]): Pair<N> {
  return { [`${name}P50`]: quantile(values, 50), [`${name}P99`]: quantile(values, 99) } as Pair<N>;
}

function quantile(values: readonly number[], p: number): number | null {
  return values.length === 0 ? null : rounded(percentile(values, p), 1);
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);
