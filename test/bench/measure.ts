import type { Kind, Pool } from './pools.js';
import type { BaselineRun, Found, Row } from './rows.js';
import { percentile } from '../support/percentile.js';

/** Baselines run on so many of the pools, each for so long at the most. */
const baselinePools = 5;
const capMs = 20_000;
/** A run, ours or a baseline's, is taken again up to so many times, as long as all takes are over in this time. */
const mostTakes = 10;
const takesMs = 3_000;
/** Ours is taken so often at least. */
const leastTakes = 3;
/** Memory is measured on so many. */
const memoryPools = 20;
const warmUpMs = 1_000;
/** Collecting everything lets go of compiled code, too; so long it is warmed up again. */
const warmAgainMs = 50;
/** A pass ends when it has taken so long, though not before it has seen so many pools. */
export const patience = { ms: 20_000, fullMs: 200_000, pools: 20 };

/** A baseline's work on some pools. */
export interface Beside {
  readonly p50Ms: number;
  /** The p50 is of a run that was cut off: the true one is longer. */
  readonly capped: boolean;
  /** How many pools it was run on: one alone when the first was cut off. */
  readonly pools: number;
  /** Median, of a run that was not cut off. */
  readonly operations: number | null;
  /** What it found on each, null where it was cut off. */
  readonly found: readonly (readonly number[] | null)[];
}

export interface Result {
  readonly row: Row;
  readonly pools: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** p50 on the baselines' pools alone. */
  readonly p50MsBeside: number;
  readonly proven: number;
  readonly operations: number;
  readonly peakMb: number;
  /** The largest gap, as a share of the mean player's weight. */
  readonly gap: number;
  /** What the slowest pool was like. */
  readonly slowest: Kind;
  readonly gosper: Beside | null;
  readonly enumeration: Beside | null;
}

/** Times a row's solver on its pools, after a warm-up on others, and the baselines on the first of them. */
export function measure(
  row: Row,
  pools: readonly Pool[],
  others: readonly Pool[],
  patienceMs: number,
  gosperBefore: Map<string, Beside>,
): Result {
  const solveOther = (pool: Pool): unknown => row.prepare(pool)();
  warmUp(others, warmUpMs, solveOther);
  globalThis.gc?.();
  warmUp(others, warmAgainMs, solveOther);
  const isOver = overIn(takesMs);
  const first = pass(row, pools, patienceMs);
  const seen = pools.slice(0, first.length);
  const all = [first];
  while (all.length < leastTakes || (all.length < mostTakes && !isOver()))
    all.push(pass(row, seen, Infinity));
  const times = seen.map((_, i) => Math.min(...all.map((takes) => takes[i]?.ms ?? NaN)));
  const found = first.map((take) => take.found);
  const slowest = times.indexOf(Math.max(...times));
  const few = seen.slice(0, baselinePools);
  const gosper = row.gosper && besides(row.gosper.name, row.gosper.run, few, others, gosperBefore);
  if (gosper) assertAsGood(row, few, found, gosper);
  return {
    row,
    pools: times.length,
    p50Ms: percentile(times, 50),
    p99Ms: percentile(times, 99),
    p50MsBeside: percentile(times.slice(0, gosper?.pools ?? baselinePools), 50),
    proven: found.filter(({ proven }) => proven).length / found.length,
    operations: percentile(
      found.map(({ operations }) => operations),
      50,
    ),
    peakMb: peakMb(row, seen.slice(0, memoryPools)),
    gap: Math.max(...found.map(({ gap }, i) => gap / meanWeight(seen[i]))),
    slowest: seen[slowest]?.kind ?? 'plain',
    gosper,
    enumeration: row.enumeration && beside(row.enumeration, few, others),
  };
}

/** One function for all: code that was compiled for one of these serves the next. */
function overIn(ms: number): () => boolean {
  const end = performance.now() + ms;
  return () => performance.now() > end;
}

function warmUp(
  others: readonly Pool[],
  ms: number,
  solve: (pool: Pool, isOver: () => boolean) => void,
): void {
  const isOver = overIn(ms);
  for (let i = 0; !isOver(); i++) {
    const pool = others[i % others.length];
    if (pool) solve(pool, isOver);
  }
}

interface Take {
  readonly ms: number;
  readonly found: Found;
}

/** Solves pool after pool, so that none is solved twice in a row. */
function pass(row: Row, pools: readonly Pool[], patienceMs: number): Take[] {
  const takes: Take[] = [];
  const start = performance.now();
  for (const pool of pools) {
    const solve = row.prepare(pool);
    // Each is to pay for its own garbage.
    globalThis.gc?.({ type: 'minor', execution: 'sync' });
    const clock = clocks();
    const found = solve();
    takes.push({ ms: leastOf(clock()), found });
    if (takes.length >= patience.pools && performance.now() - start > patienceMs) break;
  }
  return takes;
}

interface Clocked {
  readonly wallMs: number;
  readonly ownMs: number;
}

/** A run does not always have the processor for itself; what it waited for is not to be held against it. */
function leastOf({ wallMs, ownMs }: Clocked): number {
  return Math.min(wallMs, ownMs);
}

/** Starts two clocks; what is returned reads them: on the wall, and the time that this process had a processor. */
function clocks(): () => Clocked {
  const cpu = process.cpuUsage();
  const from = performance.now();
  return () => {
    const wallMs = performance.now() - from;
    const { user, system } = process.cpuUsage(cpu);
    return { wallMs, ownMs: (user + system) / 1_000 };
  };
}

/** The rows of one size and kind of weights share what takes Gosper a minute. */
function besides(
  name: string,
  run: BaselineRun,
  pools: readonly Pool[],
  others: readonly Pool[],
  before: Map<string, Beside>,
): Beside {
  const known = before.get(name);
  if (known) return known;
  const measured = beside(run, pools, others);
  before.set(name, measured);
  return measured;
}

interface BesideRun {
  readonly ms: number;
  readonly operations: number | null;
  readonly differences: readonly number[] | null;
}

/** The least of some takes where they are short; a long run is not repeated. */
function runOf(run: BaselineRun, pool: Pool): BesideRun {
  let least = Infinity;
  const isOver = overIn(takesMs);
  for (let take = 1; ; take++) {
    const clock = clocks();
    const outcome = run(pool, overIn(capMs));
    least = Math.min(least, leastOf(clock()));
    if (take === mostTakes || isOver())
      return {
        ms: least,
        operations: outcome?.operations ?? null,
        differences: outcome?.differences ?? null,
      };
  }
}

function beside(run: BaselineRun, pools: readonly Pool[], others: readonly Pool[]): Beside {
  warmUp(others, warmUpMs, run);
  const runs: BesideRun[] = [];
  for (const pool of pools) {
    runs.push(runOf(run, pool));
    // The first tells what the others would be like.
    if (runs.length === 1 && runs[0]?.operations === null) break;
  }
  const p50Ms = percentile(
    runs.map(({ ms }) => ms),
    50,
  );
  const finished = runs.flatMap(({ operations }) => operations ?? []);
  const capped = runs.find(({ ms }) => ms === p50Ms)?.operations === null;
  return {
    p50Ms,
    capped,
    pools: runs.length,
    operations: capped ? null : percentile(finished, 50),
    found: runs.map(({ differences }) => differences),
  };
}

/** Where both are exact and one is worse, the figures are worth nothing. */
function assertAsGood(row: Row, pools: readonly Pool[], found: readonly Found[], gosper: Beside): void {
  gosper.found.forEach((differences, i) => {
    const ours = found[i]?.differences ?? [];
    const allowed = 1e-9 * meanWeight(pools[i]) * row.n;
    differences?.forEach((difference, size) => {
      const own = ours[size] ?? Infinity;
      if (own > difference + allowed)
        throw new Error(`${row.name}: pool ${i} can be split to ${difference}, and ${own} was answered.`);
    });
  });
}

/** Heap and array buffers after a solve less those before it; garbage is collected before, where node lets us. */
function peakMb(row: Row, pools: readonly Pool[]): number {
  const used = (): number => {
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const grown = pools.map((pool) => {
    const solve = row.prepare(pool);
    globalThis.gc?.();
    const before = used();
    solve();
    return used() - before;
  });
  return Math.max(0, ...grown) / 2 ** 20;
}

function meanWeight(pool: Pool | undefined): number {
  const players = pool?.players ?? [];
  return players.reduce((sum, { weight }) => sum + Math.abs(weight), 0) / players.length || 1;
}
