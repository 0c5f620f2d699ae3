import type { Budget } from '../problem/budget.js';
import { differenceOf, keyOf, type Core } from './core.js';

/** Step limit of a polish: a millisecond or two. */
const mostSteps = 400_000;

/**
 * Local search by pair swaps: of all pairs of atoms with equal counts, one here and one there, swaps the one that brings D
 * nearest to the target, repeatedly until none brings it nearer.
 *
 * @param sides an allowed split
 */
export function polished(core: Core, sides: Uint8Array, budget: Budget): Uint8Array {
  const { atoms } = core;
  const now = sides.slice();
  const target = core.laneOf(keyOf(atoms, now))?.target ?? 0;
  const pairs = pairsAlike(core);
  let difference = differenceOf(atoms, now) - target;
  for (let steps = 0; steps < mostSteps; steps += pairs.length) {
    budget.operations += pairs.length;
    let best: readonly [number, number] | null = null;
    let nearest = Math.abs(difference);
    for (const pair of pairs) {
      const [i, j] = pair;
      if (now[i] === now[j]) continue;
      const off = Math.abs(difference + change(core, now, i) + change(core, now, j));
      if (off < nearest) {
        nearest = off;
        best = pair;
      }
    }
    if (!best) break;
    const [i, j] = best;
    difference += change(core, now, i) + change(core, now, j);
    now[i] = 1 - now[i]!;
    now[j] = 1 - now[j]!;
  }
  return now;
}

/** The change of D when an atom changes sides. */
function change({ atoms }: Core, sides: Uint8Array, i: number): number {
  return sides[i] ? -2 * atoms[i]!.gain : 2 * atoms[i]!.gain;
}

/** Pairs that can trade sides without changing the key. */
function pairsAlike({ atoms }: Core): (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0; i < atoms.length; i++) {
    for (let j = i + 1; j < atoms.length && pairs.length < mostSteps; j++) {
      if (atoms[i]!.here - atoms[i]!.there === atoms[j]!.here - atoms[j]!.there) pairs.push([i, j]);
    }
  }
  return pairs;
}
