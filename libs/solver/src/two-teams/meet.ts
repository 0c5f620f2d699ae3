import type { Budget } from '../problem/budget.js';
import { closestSum } from './closest.js';
import { valueOf, type Core, type CoreAtom, type Lane, type Shortlist } from './core.js';
import { halfBytes, halfOf, mostAtomsInHalf, type Group } from './half.js';
import { manyAtoms, meetSums, meetSumsBytes } from './meet-sums.js';

/** Atoms that keep their side while the others are placed again. */
export interface Fixed {
  /** A complete split; only the sides of the free atoms change. */
  readonly sides: Uint8Array;
  /** Indices of the free atoms. */
  readonly free: readonly number[];
}

/** Peak bytes of a meet with this many free atoms. */
export function meetBytes(atoms: number): number {
  return halfBytes(Math.ceil(atoms / 2)) + halfBytes(Math.floor(atoms / 2));
}

/** Splits with unsuitable roles that are examined before giving up, about a second's work; without roles there are none. */
const mostRejected = 500_000;

/** Whether this many atoms can be met, given enough memory. */
export function couldMeet(atoms: number): boolean {
  return atoms <= 2 * mostAtomsInHalf;
}

/** @param onlyBest only the best is wanted, and keys are complete: then lists of sums suffice */
export function canMeet(atoms: number, budget: Budget, onlyBest = false): boolean {
  const bytes = onlyBest && atoms >= manyAtoms ? meetSumsBytes(atoms) : meetBytes(atoms);
  return couldMeet(atoms) && budget.allows(bytes);
}

/**
 * Meets in the middle (Horowitz and Sahni 1974), by key: every placement of one half of the atoms against those of the
 * other half that complete its key and bring D nearest to the lane's target. Offers all that may enter the shortlist, so
 * that afterwards the shortlist holds the best there are.
 *
 * @param least stop when the whole shortlist is this good: no split is better
 * @param fixed place only some atoms; all without it
 * @returns false when it gave up because too many near splits have unsuitable roles
 * @throws OutOfTime
 */
export function meet(
  core: Core,
  shortlist: Shortlist,
  least: number,
  budget: Budget,
  fixed?: Fixed,
): boolean {
  const free = fixed?.free ?? core.atoms.map((_, i) => i);
  const all = free.length === core.atoms.length;
  const fixFirst = core.mirrored && all;
  // The half with the fixed atom is slightly smaller, so it takes the odd one.
  const middle = fixFirst ? Math.floor(free.length / 2) + 1 : Math.ceil(free.length / 2);
  const left = free.slice(0, middle);
  const right = free.slice(middle);
  const [one, other] = [left, right].map((half) => half.map((i) => core.atoms[i]!)) as [
    CoreAtom[],
    CoreAtom[],
  ];
  const fixedSum = fixed ? placed(core, fixed) : { key: 0, difference: 0 };
  const compose = (maskA: number, maskB: number): Uint8Array => {
    const sides = fixed ? fixed.sides.slice() : new Uint8Array(core.atoms.length);
    left.forEach((atom, bit) => (sides[atom] = (maskA >>> bit) & 1));
    right.forEach((atom, bit) => (sides[atom] = (maskB >>> bit) & 1));
    return core.mirrored && sides[0] === 0 ? sides.map((side) => 1 - side) : sides;
  };
  let rejected = 0;
  const take: Take = (value, maskA, maskB) => {
    const sides = compose(maskA, maskB);
    if (core.accepts) budget.spend(sides.length);
    if (!core.accepts || core.accepts(sides)) shortlist.offer(value, sides);
    else rejected++;
    return rejected <= mostRejected;
  };
  const onlyBest = shortlist.capacity === 1 && !core.accepts;
  if (onlyBest && free.length >= manyAtoms) {
    const laneOf = (key: number): Lane | null => {
      const lane = core.laneOf(fixedSum.key + key);
      return lane && { target: lane.target - fixedSum.difference, scale: lane.scale };
    };
    meetSums(one, other, fixFirst, laneOf, shortlist.threshold, budget, (maskA, maskB) => {
      const sides = compose(maskA, maskB);
      shortlist.offer(valueOf(core, sides)!, sides);
    });
    return true;
  }
  const a = halfOf(one, fixFirst, budget);
  const b = halfOf(other, false, budget);
  const walk = onlyBest ? nearest : scan;
  for (const p of a) {
    for (const q of b) {
      const lane = core.laneOf(fixedSum.key + p.key + q.key);
      if (!lane) continue;
      walk(
        p,
        q,
        { target: lane.target - fixedSum.difference, scale: lane.scale },
        shortlist,
        least,
        budget,
        take,
      );
      if (rejected > mostRejected) return false;
      if (shortlist.threshold <= least) return true;
    }
  }
  return true;
}

/** Offers a split. @returns false when enough were rejected to give up */
type Take = (value: number, maskA: number, maskB: number) => boolean;

/** Key and D of the fixed atoms. */
function placed(core: Core, { sides, free }: Fixed): { key: number; difference: number } {
  const moving = new Set(free);
  let key = 0;
  let difference = 0;
  core.atoms.forEach((atom, i) => {
    if (moving.has(i)) return;
    key += sides[i] ? atom.here : atom.there;
    difference += sides[i] ? atom.gain : -atom.gain;
  });
  return { key, difference };
}

/**
 * Two sorted lists, walked from opposite ends: for each sum of one, those of the other nearest to the missing amount,
 * outward as long as they may enter the shortlist.
 */
function scan(
  p: Group,
  q: Group,
  { target, scale }: Lane,
  shortlist: Shortlist,
  least: number,
  budget: Budget,
  take: Take,
): void {
  const { sums: x, masks: xm } = p;
  const { sums: y, masks: ym } = q;
  let near = y.length - 1;
  let limit = shortlist.threshold;
  for (let i = 0; i < x.length; i++) {
    if (i % 1024 === 0) budget.spend(Math.min(1024, x.length - i) * (1 + y.length / x.length));
    const wanted = target - x[i]!;
    while (near >= 0 && y[near]! > wanted) near--;
    for (let j = near; j >= 0; j--) {
      const value = (wanted - y[j]!) * scale;
      if (value >= limit) break;
      if (!take(value, xm[i]!, ym[j]!)) return;
      limit = shortlist.threshold;
    }
    for (let j = near + 1; j < y.length; j++) {
      const value = (y[j]! - wanted) * scale;
      if (value >= limit) break;
      if (!take(value, xm[i]!, ym[j]!)) return;
      limit = shortlist.threshold;
    }
    if (limit <= least) return;
  }
}

/** The same for the best alone, which is offered once; also when time runs out. */
function nearest(
  p: Group,
  q: Group,
  { target, scale }: Lane,
  shortlist: Shortlist,
  _least: number,
  budget: Budget,
  take: Take,
): void {
  found[0] = shortlist.threshold / scale;
  found[1] = -1;
  try {
    closestSum(p.sums, q.sums, target, found, budget);
  } finally {
    if (found[1] >= 0) take(found[0] * scale, p.masks[found[1]]!, q.masks[found[2]!]!);
  }
}

/** Distance and indices, see `closestSum`. */
const found = new Float64Array(3);
