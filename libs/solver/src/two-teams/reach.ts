import { seededRandom } from '@muster/domain';
import type { Budget } from '../problem/budget.js';
import type { Core } from './core.js';

/** The keys that the atoms can reach, for any gains, and the number of ways to each. */
export interface Reach {
  /** After each atom: ways by key. Ways are doubles, exact below 2^53. */
  readonly stages: readonly ReadonlyMap<number, number>[];
}

/** More keys than this are not counted: some milliseconds of work. */
const mostKeys = 50_000;

/** @returns null when there are too many keys to count */
export function reach(core: Core, budget: Budget): Reach | null {
  const stages: Map<number, number>[] = [new Map([[0, 1]])];
  let keys = 0;
  for (const { here, there } of core.atoms) {
    const last = stages[stages.length - 1]!;
    const next = new Map<number, number>();
    for (const [key, ways] of last) {
      next.set(key + here, (next.get(key + here) ?? 0) + ways);
      next.set(key + there, (next.get(key + there) ?? 0) + ways);
    }
    budget.operations += 2 * last.size;
    keys += next.size;
    if (keys > mostKeys) return null;
    stages.push(next);
  }
  return { stages };
}

/** The number of splits with an allowed key. */
export function waysOf(core: Core, { stages }: Reach): number {
  let ways = 0;
  for (const [key, number] of stages[stages.length - 1]!) if (core.laneOf(key)) ways += number;
  return core.mirrored ? ways / 2 : ways;
}

/**
 * A split with an allowed key, traced back through the stages: at each atom the side that keeps D nearer to zero, or a
 * random one.
 *
 * @param randomly from 0, always the nearer side, to 1, always a random side
 * @returns null when no allowed key can be reached
 */
export function trace(core: Core, { stages }: Reach, seed: number, randomly: number): Uint8Array | null {
  const random = seededRandom(seed);
  const ends = [...stages[stages.length - 1]!.keys()].filter((key) => core.laneOf(key) !== null);
  if (ends.length === 0) return null;
  let key = ends[Math.floor(random() * ends.length)]!;
  const sides = new Uint8Array(core.atoms.length);
  let difference = -(core.laneOf(key)?.target ?? 0);
  for (let i = core.atoms.length - 1; i >= 0; i--) {
    const { gain, here, there } = core.atoms[i]!;
    const before = stages[i]!;
    const canHere = before.has(key - here);
    const canThere = before.has(key - there);
    const nearer = Math.abs(difference + gain) <= Math.abs(difference - gain);
    const wish = random() < randomly ? random() < 0.5 : nearer;
    const isHere = canHere && (!canThere || wish);
    sides[i] = isHere ? 1 : 0;
    difference += isHere ? gain : -gain;
    key -= isHere ? here : there;
  }
  return sides;
}
