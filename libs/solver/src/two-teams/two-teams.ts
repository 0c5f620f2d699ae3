import { joinTwo, type Atom, type Conflict } from '../problem/atoms.js';
import { boundOf, type Bound } from './bounds.js';
import type { Core, CoreAtom, Lane } from './core.js';
import type { SplitProblem } from '../problem/problem.js';
import type { Quantised } from '../problem/quantise.js';
import { placesOf, shiftFor } from '../problem/ratio.js';
import { roleRules } from '../problem/roles.js';

/** A prepared problem of two teams. */
export interface TwoTeams {
  readonly core: Core;
  /** The same with complete keys, for counting; `core` itself unless there are too many keys to meet by. */
  readonly counter: Core | null;
  readonly atoms: readonly Atom[];
  /** In the unit of the lanes' values. */
  readonly bound: Bound;
  /** Atoms are single players without roles and the first team's size is fixed: a key is only a count. */
  readonly plain: boolean;
  readonly sizes: readonly number[];
  /** False when there are too few or too many players for the roles, for any split. */
  readonly possible: boolean;
  /** Added to every weight before ratios are taken, in quanta. */
  readonly shift: number;
}

/** Keys distinguish kinds of players only while the two halves have at most this many pairs of keys. */
const mostKeyPairs = 4096;

/**
 * @param order indices of the players, heaviest first
 * @param weights in quanta; after the players' the weight of a bot, where there are bots
 */
export function twoTeams(
  problem: SplitProblem,
  order: readonly number[],
  weights: Quantised,
): TwoTeams | Conflict {
  const { players } = problem;
  const joined = joinTwo(problem, order);
  if ('conflict' in joined) return joined;
  const n = players.length;
  const descending = Float64Array.from(order, (i) => weights.values[i]!);
  const sizes = firstSizes(problem);
  const bot = weights.values[n] ?? 0;
  const shift = shiftFor(problem, descending, weights);
  const lanes = lanesOf(problem, sizes, descending, bot, shift);
  const rules = roleRules(problem);
  const totals: number[] = Array.from({ length: rules.kinds }, () => 0);
  for (const kind of rules.kindOf) if (kind >= 0) totals[kind]!++;
  const half = totals.reduce((keys, total) => keys * (total / 2 + 1), n / 2 + 1);
  const coreWith = (radices: readonly number[] | null): Core => {
    const keyOf = (members: readonly number[]): number =>
      members.reduce((key, i) => key + 1 + (radices?.[rules.kindOf[i]!] ?? 0), 0);
    const weightOf = (members: readonly number[]): number =>
      members.reduce((sum, i) => sum + weights.values[i]!, 0);
    const keepsRoles = (counts: readonly number[]): boolean =>
      rules.allows(counts) && rules.allows(counts.map((count, k) => totals[k]! - count));
    return {
      atoms: joined.map(({ here, there }): CoreAtom => ({
        gain: weightOf(here) - weightOf(there),
        here: keyOf(here),
        there: keyOf(there),
      })),
      laneOf: remembered((key) => {
        const lane = lanes.get(key % (n + 1)) ?? null;
        if (!lane || !radices) return lane;
        const counts = totals.map((total, k) => Math.floor(key / radices[k]!) % (total + 1));
        return keepsRoles(counts) ? lane : null;
      }),
      accepts: radices ? null : (sides) => keepsRoles(countsOf(sides, joined, rules.kindOf, rules.kinds)),
      mirrored: sizes.every((size) => sizes.includes(n - size)),
    };
  };
  const radices = radicesOf(n, totals);
  const counter = radices && coreWith(radices);
  const core = counter && half * half <= mostKeyPairs ? counter : coreWith(null);
  const bounds = sizes.map((size): Bound => {
    const { target, scale } = lanes.get(size)!;
    const { least, reason } = boundOf(descending, size, target);
    return { least: least * scale, reason };
  });
  const bound = bounds.reduce((least, next) => (next.least < least.least ? next : least));
  const plain = Object.keys(problem.roles ?? {}).length === 0 && sizes.length === 1 && joined.length === n;
  return { core, counter, atoms: joined, bound, plain, sizes, shift, possible: rules.canBeKept(2) };
}

/** The contribution of a player of each kind to a key beside 1; null when keys would exceed exact doubles. */
function radicesOf(players: number, totals: readonly number[]): number[] | null {
  const radices: number[] = [];
  let radix = players + 1;
  for (const total of totals) {
    radices.push(radix);
    radix *= total + 1;
  }
  return radix < 2 ** 52 ? radices : null;
}

/** The possible sizes of the first team. */
function firstSizes({ players, teamSizes, bots }: SplitProblem): number[] {
  if (!bots || bots.maxSizeDifference === 0) return [teamSizes[0]!];
  const sizes: number[] = [];
  for (let size = 1; size < players.length; size++) {
    if (Math.abs(2 * size - players.length) <= bots.maxSizeDifference) sizes.push(size);
  }
  return sizes;
}

/**
 * The value of a difference for each size of the first team, from the objective:
 * - sums: |D|;
 * - means of a and b players: |ΣA/a − ΣB/b| = |D − S(a − b)/(a + b)| · (1/a + 1/b)/2;
 * - chances: all play in every split, so the spread of the outcome is constant and |D| decides;
 * - bots of weight w: |D'|/T with D' = D + w(b − a) and T the sum of all; ratio = (T − |D'|)/(T + |D'|) falls with it.
 */
function lanesOf(
  { objective, bots }: SplitProblem,
  sizes: readonly number[],
  descending: Float64Array,
  bot: number,
  shift: number,
): Map<number, Lane> {
  const n = descending.length;
  const total = descending.reduce((sum, value) => sum + value, 0);
  const lanes = new Map<number, Lane>();
  for (const size of sizes) {
    const other = n - size;
    if (bots) {
      const places = placesOf(bots.fillTo, [size, other]);
      const sum = total + bot * (2 * places - n) + shift * 2 * places;
      lanes.set(size, { target: bot * (size - other), scale: 1 / sum });
    } else if (objective?.kind === 'mean') {
      lanes.set(size, { target: (total * (size - other)) / n, scale: (1 / size + 1 / other) / 2 });
    } else {
      lanes.set(size, { target: 0, scale: 1 });
    }
  }
  return lanes;
}

function countsOf(
  sides: Uint8Array,
  atoms: readonly Atom[],
  kindOf: readonly number[],
  kinds: number,
): number[] {
  const counts: number[] = Array.from({ length: kinds }, () => 0);
  atoms.forEach(({ here, there }, atom) => {
    for (const i of sides[atom] ? here : there) if (kindOf[i]! >= 0) counts[kindOf[i]!]!++;
  });
  return counts;
}

function remembered<Value>(of: (key: number) => Value): (key: number) => Value {
  const known = new Map<number, Value>();
  return (key) => {
    const seen = known.get(key);
    if (seen !== undefined || known.has(key)) return seen as Value;
    const value = of(key);
    known.set(key, value);
    return value;
  };
}
