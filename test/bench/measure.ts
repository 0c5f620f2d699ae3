import type { Kind, Pool } from './pools.js';
import type { BaselineRun, Found, Row } from './rows.js';
import { percentile } from '../support/percentile.js';

/** The number of pools for baselines, and the time limit of each. */
const baselinePools = 5;
const capMs = 20_000;
/** A short run is repeated up to this often, within this time. */
const maxRepeats = 10;
const takesMs = 3_000;
/** The minimum number of repeats of Muster's solver. */
const minRepeats = 3;
/** The number of pools for memory. */
const memoryPools = 20;
const warmUpMs = 1_000;
/** A full collection also discards compiled code, so this much warm-up follows. */
const warmAgainMs = 50;
/** A pass ends after this time, but not before this many pools. */
export const passLimits = { ms: 20_000, fullMs: 200_000, pools: 20 };

/** A baseline's work on some pools. */
export interface Beside {
  readonly p50Ms: number;
  /** The p50 is of a run that was cut off: the true one is longer. */
  readonly capped: boolean;
  /** The number of pools; one if the first was cut off. */
  readonly pools: number;
  /** Median, or null if it was cut off. */
  readonly operations: number | null;
  /** The results by pool, null if it was cut off. */
  readonly found: readonly (readonly number[] | null)[];
}

export interface Result {
  readonly row: Row;
  readonly pools: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** p50 on the baselines' pools only. */
  readonly p50MsBeside: number;
  readonly proven: number;
  readonly operations: number;
  readonly peakMb: number;
  /** The largest gap, as a share of the mean player's weight. */
  readonly gap: number;
  /** The kind of the slowest pool. */
  readonly slowest: Kind;
  readonly gosper: Beside | null;
  readonly enumeration: Beside | null;
}

/** Times a row's solver on its pools after a warm-up on others, and the baselines on the first of them. */
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
  while (all.length < minRepeats || (all.length < maxRepeats && !isOver()))
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

/** One function for all, so that compiled code is shared. */
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

/** Solves the pools in turn, so that none is solved twice in a row. */
function pass(row: Row, pools: readonly Pool[], patienceMs: number): Take[] {
  const takes: Take[] = [];
  const start = performance.now();
  for (const pool of pools) {
    const solve = row.prepare(pool);
    // Each run collects its own garbage.
    globalThis.gc?.({ type: 'minor', execution: 'sync' });
    const clock = clocks();
    const found = solve();
    takes.push({ ms: leastOf(clock()), found });
    if (takes.length >= passLimits.pools && performance.now() - start > patienceMs) break;
  }
  return takes;
}

interface Clocked {
  readonly wallMs: number;
  readonly ownMs: number;
}

/** Time spent waiting for the processor does not count. */
function leastOf({ wallMs, ownMs }: Clocked): number {
  return Math.min(wallMs, ownMs);
}

/** Starts two clocks, wall time and processor time of this process, and returns a function that reads them. */
function clocks(): () => Clocked {
  const cpu = process.cpuUsage();
  const from = performance.now();
  return () => {
    const wallMs = performance.now() - from;
    const { user, system } = process.cpuUsage(cpu);
    return { wallMs, ownMs: (user + system) / 1_000 };
  };
}

/** Rows of the same size and kind of weights share the run of Gosper, which takes a minute. */
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

/** The minimum of several repeats if they are short; a long run is not repeated. */
function runOf(run: BaselineRun, pool: Pool): BesideRun {
  let least = Infinity;
  const isOver = overIn(takesMs);
  for (let take = 1; ; take++) {
    const clock = clocks();
    const outcome = run(pool, overIn(capMs));
    least = Math.min(least, leastOf(clock()));
    if (take === maxRepeats || isOver())
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
    // The first run predicts the others.
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

/** If both are exact and one is worse, the figures are worthless. */
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

/** Heap and array buffers after a solve minus those before it; garbage is collected before, if node allows it. */
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
