import { seededRandom, type Random } from '@muster/domain';
import { OutOfTime, type Budget } from '../problem/budget.js';
import { Shortlist, turned, valueOf, type Candidate, type Core } from './core.js';
import { differencesDivisor } from './bounds.js';
import { balancedDifferencing } from './differencing.js';
import { bestByCounting, countingCost } from './dynamic.js';
import { canMeet, couldMeet, meet } from './meet.js';
import type { Certificate, Method } from '../problem/problem.js';
import { polished } from './polish.js';
import { reach, trace, waysOf, type Reach } from './reach.js';
import type { TwoTeams } from './two-teams.js';

/** The result of the ladder of methods. */
export interface Climb {
  /** Best first; empty when nothing satisfies the constraints or, with `stopped`, when nothing was found. */
  readonly found: readonly Candidate[];
  readonly method: Method;
  readonly because: string;
  /** A lower bound, in the unit of the lanes' values. */
  readonly least: number;
  readonly reason: Certificate['reason'];
  readonly proven: boolean;
  /** Whether all of `found` are proven to be the best. */
  readonly ranked: boolean;
  readonly ways: number | null;
  readonly stopped?: Certificate['stopped'];
}

/** Up to this number of atoms the whole problem is met in the middle at once: faster than trying anything first. */
const small = 20;
/** Atoms placed again at a time by the local search, from quick to thorough. */
const neighbourhoods = [14, 16, 18, 20, 20, 20, 20, 20];
/** Backward walks through the reachable keys. */
const mostTraces = 4;
/** Step limit of counting. */
const mostCounting = 60_000_000;

/**
 * Tries methods from cheap to expensive until the answer is proven: differencing, meet-in-the-middle over parts of the
 * problem (local search), then over all of it, or counting where that is less work.
 *
 * @param wanted number of splits to find
 * @param current a split to start from, atoms' sides; it need not be allowed
 */
export function climb(
  two: TwoTeams,
  wanted: number,
  seed: number,
  budget: Budget,
  current?: Uint8Array,
): Climb {
  const { core, bound } = two;
  const n = core.atoms.length;
  const onlyBest = wanted === 1 && core.accepts === null;
  const shortlist = new Shortlist(wanted);
  let last: Method = 'meet-in-the-middle';
  const even = two.plain && Math.abs(2 * two.sizes[0]! - n) <= 1;
  const counted = even || !two.counter ? null : reach(two.counter, budget);
  const ways = even
    ? binomial(n, two.sizes[0]!) / (core.mirrored ? 2 : 1)
    : two.counter && counted && waysOf(two.counter, counted);
  const proven = (method: Method, because: string, reason: Certificate['reason']): Climb => ({
    found: shortlist.items,
    method,
    because,
    least: reason === 'exhausted' ? (shortlist.items[0]?.value ?? 0) : bound.least,
    reason,
    proven: true,
    ranked: true,
    ways,
  });
  const bounded = (why: keyof typeof beyond): Climb => {
    const isBest = (shortlist.items[0]?.value ?? Infinity) <= bound.least;
    return {
      found: shortlist.items,
      method: last,
      because: `${n} ${two.plain ? 'players' : 'groups'} are more than ${beyond[why]}, so the best found is answered with its bound`,
      least: bound.least,
      reason: bound.reason,
      proven: isBest,
      ranked: false,
      ways,
      ...(isBest ? {} : { stopped: why }),
    };
  };
  const isProven = (): boolean => shortlist.threshold <= bound.least;
  // A shortlist that reaches a bound needs no other proof.
  const byBound = (method: Method, because: string): Climb => proven(method, because, bound.reason);
  let stopped: 'memory' | 'size' = 'size';
  if (ways === 0 || !two.possible)
    return proven('trivial', 'no split keeps the sizes and roles', 'exhausted');
  try {
    if (!canMeet(n, budget, onlyBest) || (n > small && !isHopeless(core, ways))) {
      const starts = beginnings(two, counted, seed, current);
      for (const sides of starts) offer(core, shortlist, sides);
      last = two.plain ? 'differencing' : 'neighbourhood';
      if (isProven()) return byBound(last, 'the first split found is as even as the weights allow');
      last = 'neighbourhood';
      for (const sides of starts) if (!isProven()) polish(core, shortlist, sides, budget);
      if (!isProven()) improve(core, shortlist, bound.least, seededRandom(seed), budget);
      if (isProven())
        return byBound(last, 'placing some players anew, others kept, came to what the weights allow');
    }
    const meetWork = canMeet(n, budget, onlyBest) ? 4 * 2 ** (n / 2) : Infinity;
    const counting = wanted === 1 && two.plain ? countingCost(core, two.sizes[0]!) : null;
    if (counting && counting.steps < Math.min(meetWork, mostCounting) && budget.allows(counting.bytes)) {
      last = 'dynamic-programming';
      const sides = bestByCounting(core, two.sizes[0]!, budget);
      offer(core, shortlist, sides);
      return proven(
        last,
        'the weights are small whole numbers: every sum that so many players can have was counted',
        'exhausted',
      );
    }
    if (meetWork < Infinity) {
      last = 'meet-in-the-middle';
      const all = meet(core, shortlist, bound.least, budget);
      if (!all && !isProven()) return bounded('size');
      return isProven()
        ? byBound(last, 'a split as even as the weights allow was met')
        : proven(
            last,
            `all placings of ${n} ${two.plain ? 'players' : 'groups'} were met in two halves`,
            'exhausted',
          );
    }
    stopped = couldMeet(n) ? 'memory' : 'size';
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    // The result and the initial splits count in any case: more time never makes it worse.
    for (const sides of firstAid(core, beginnings(two, counted, seed, current), budget))
      offer(core, shortlist, sides);
    return bounded('deadline');
  }
  const best = shortlist.items[0];
  if (best) polish(core, shortlist, best.sides, budget);
  return bounded(stopped);
}

/** Initial splits that are allowed, and the best of them improved by swaps. */
function firstAid(core: Core, starts: readonly Uint8Array[], budget: Budget): Uint8Array[] {
  const allowed = new Shortlist(1);
  for (const sides of starts) offer(core, allowed, sides);
  return allowed.items.flatMap(({ sides }) => [sides, polished(core, sides, budget)]);
}

const beyond = {
  deadline: 'could be met in the time given',
  memory: 'can be met in the memory given',
  size: 'can be met in two halves at all',
} as const;

function offer(core: Core, shortlist: Shortlist, sides: Uint8Array): void {
  const value = valueOf(core, sides);
  if (value !== null) shortlist.offer(value, turned(core, sides));
}

/**
 * Some initial splits: the current one, a differenced one, a greedy one, and backward walks through the reachable keys.
 * Those that are not allowed are skipped when they are offered.
 */
function beginnings(
  { core, counter, sizes, plain }: TwoTeams,
  counted: Reach | null,
  seed: number,
  current: Uint8Array | undefined,
): Uint8Array[] {
  const n = core.atoms.length;
  const found = current ? [current] : [];
  if (plain) {
    for (const pairing of ['neighbours', 'opposites'] as const) {
      const sides = balancedDifferencing(core.atoms, pairing);
      // It gives the first team the odd one; when the second is the larger, the sides trade places.
      found.push(2 * sizes[0]! >= n ? sides : sides.map((side) => 1 - side));
    }
    found.push(greedily(core, sizes[0]!), ...extremes(n, sizes[0]!));
  }
  if (!counter || !counted) return found;
  for (let attempt = 0; attempt < mostTraces; attempt++) {
    const sides = trace(counter, counted, seed + attempt, attempt / mostTraces);
    if (sides) found.push(sides);
  }
  return found;
}

/**
 * The heaviest with the lightest against all between, and the lightest with the heaviest: the splits behind the structural
 * bound.
 */
function extremes(n: number, size: number): Uint8Array[] {
  const here = (i: number, heaviest: number): number => (i < heaviest || i >= n - (size - heaviest) ? 1 : 0);
  return [1, size - 1].map((heaviest) => Uint8Array.from({ length: n }, (_, i) => here(i, heaviest)));
}

/** Single players, heaviest first, to the lighter team as long as it has room. */
export function greedily({ atoms, laneOf }: Core, size: number): Uint8Array {
  const sides = new Uint8Array(atoms.length);
  let here = 0;
  let difference = -(laneOf(size)?.target ?? 0);
  atoms.forEach(({ gain }, i) => {
    const isFull = here === size;
    const mustBeHere = i - here >= atoms.length - size;
    if (mustBeHere || (!isFull && difference <= 0)) {
      sides[i] = 1;
      here++;
    }
    difference += sides[i] ? gain : -gain;
  });
  return sides;
}

/**
 * Whether only chance could make a split as even as the weights allow: with fewer splits than possible differences, trying
 * some of them is a waste where all of them can be met.
 */
function isHopeless({ atoms }: Core, ways: number | null): boolean {
  const gains = Float64Array.from(atoms, (atom) => atom.gain);
  const range = gains.reduce((sum, gain) => sum + Math.abs(gain), 0);
  return ways !== null && ways < range / Math.max(1, differencesDivisor(gains));
}

function polish(core: Core, shortlist: Shortlist, sides: Uint8Array, budget: Budget): void {
  if (valueOf(core, sides) !== null) offer(core, shortlist, polished(core, sides, budget));
}

/** Local search: repeatedly removes some atoms and places them again optimally, with the others fixed. */
function improve(core: Core, shortlist: Shortlist, least: number, random: Random, budget: Budget): void {
  for (const size of neighbourhoods) {
    const best = shortlist.items[0];
    if (!best || shortlist.threshold <= least) return;
    const free = sample(core.atoms.length, Math.min(size, core.atoms.length), random);
    if (!canMeet(free.length, budget)) return;
    meet(core, shortlist, least, budget, { sides: best.sides, free });
  }
}

/** `size` different numbers below `n`, ascending. */
export function sample(n: number, size: number, random: Random): number[] {
  const all = Array.from({ length: n }, (_, i) => i);
  for (let i = 0; i < size; i++) {
    const j = i + Math.floor(random() * (n - i));
    [all[i], all[j]] = [all[j]!, all[i]!];
  }
  return all.slice(0, size).sort((a, b) => a - b);
}

/** n over k, as a double. */
export function binomial(n: number, k: number): number {
  let ways = 1;
  for (let i = 1; i <= k; i++) ways = Math.round((ways * (n - k + i)) / i);
  return ways;
}
