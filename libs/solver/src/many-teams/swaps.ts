import type { Arrangement } from './arrangement.js';
import type { Budget } from '../problem/budget.js';
import { Seating } from './seating.js';
import type { Standing } from './standing.js';

/**
 * Deals players heaviest first in snake order: to the first team, the second … the last, the last, … the first. Full teams
 * are skipped.
 *
 * @param order players, heaviest first
 */
export function snakeDraft(order: readonly number[], teamSizes: readonly number[]): number[][] {
  const teams: number[][] = teamSizes.map(() => []);
  const turns = [...teams.keys()];
  let at = 0;
  while (at < order.length) {
    for (const t of turns)
      if (at < order.length && teams[t]!.length < teamSizes[t]!) teams[t]!.push(order[at++]!);
    turns.reverse();
  }
  return teams;
}

/** Two groups of one size that trade places. */
interface Swap {
  readonly a: number;
  readonly b: number;
  /** Indices into `units` of the two teams. */
  readonly first: number;
  readonly second: number;
  readonly more: number;
}

/**
 * Of all swaps of two groups of one size that change the highest or the lowest level, makes the one that leaves the teams
 * most even, repeatedly until none helps or the step limit is reached. No other swap can bring the extremes closer.
 *
 * @param teams that satisfy the constraints; the result satisfies them, too
 * @throws OutOfTime after which `standing` holds the result so far
 */
export function swapGroups(
  arrangement: Arrangement,
  standing: Standing,
  budget: Budget,
  mostSteps: number,
): void {
  const { groups } = arrangement;
  const seating = new Seating(arrangement);
  seating.seat(standing.teams);
  const { units } = seating;
  const end = budget.operations + mostSteps;
  while (budget.operations < end) {
    const { high, low } = standing.extremes();
    let best: Swap | null = null;
    let worth: { readonly value: number; readonly squares: number } | null = null;
    for (let t = 0; t < units.length; t++) {
      for (const [a, b] of t === high
        ? []
        : t === low
          ? [[high, low]]
          : [
              [high, t],
              [t, low],
            ]) {
        const swap = nearestSwap(arrangement, standing, units, a!, b!, budget);
        if (!swap || !standing.helps(swap.a, swap.b, swap.more)) continue;
        const after = standing.after(swap.a, swap.b, swap.more);
        if (worth && (after.value - worth.value || after.squares - worth.squares) >= 0) continue;
        best = swap;
        worth = after;
      }
    }
    if (!best) return;
    const { a, b, first, second } = best;
    [units[a]![first], units[b]![second]] = [units[b]![second]!, units[a]![first]!];
    const members = (t: number): number[] => units[t]!.flatMap((unit) => groups[unit]!.members);
    standing.set(a, members(a), b, members(b));
  }
}

/**
 * For single players: of all swaps of two of them makes the one that leaves the teams most even, the first of equal ones,
 * repeatedly until none helps or the step limit is reached. After a snake draft this equals a plain greedy search, so an
 * answer that starts here is never less even than that search's.
 *
 * @throws OutOfTime after which `standing` holds the result so far
 */
export function swapPlayers(
  arrangement: Arrangement,
  standing: Standing,
  budget: Budget,
  mostSteps: number,
): void {
  const { values } = arrangement.weights;
  const end = budget.operations + mostSteps;
  while (budget.operations < end) {
    const { high, low } = standing.extremes();
    const count = standing.teams.length;
    let least = standing.value;
    let best: { a: number; b: number; i: number; j: number } | null = null;
    for (let a = 0; a < count; a++) {
      for (let b = a + 1; b < count; b++) {
        // Any other swap leaves the highest and the lowest level unchanged.
        if (![a, b].includes(high) && ![a, b].includes(low)) continue;
        const valueAfter = standing.valuesAfter(a, b);
        for (const i of standing.teams[a]!) {
          budget.spend(standing.teams[b]!.length);
          for (const j of standing.teams[b]!) {
            const value = valueAfter(values[i]! - values[j]!);
            if (value >= least) continue;
            least = value;
            best = { a, b, i, j };
          }
        }
      }
    }
    if (!best) return;
    const { a, b, i, j } = best;
    standing.set(a, [...standing.teams[a]!.filter((each) => each !== i), j], b, [
      ...standing.teams[b]!.filter((each) => each !== j),
      i,
    ]);
  }
}

/** Of the swaps between two teams, the one that brings their levels closest, among those that satisfy the constraints. */
function nearestSwap(
  arrangement: Arrangement,
  { levels }: Standing,
  units: readonly (readonly number[])[],
  a: number,
  b: number,
  budget: Budget,
): Swap | null {
  const { groups, level } = arrangement;
  // The factor of a player's weight on a team; 1, or with means 1 over the size.
  const worth = level(a, 1) - level(a, 0) + level(b, 1) - level(b, 0);
  const wanted = (levels[a]! - levels[b]!) / worth;
  const [x, y] = [units[a]!, units[b]!];
  let nearest = Math.abs(wanted);
  let best: Swap | null = null;
  for (let first = 0; first < x.length; first++) {
    budget.spend(y.length);
    const going = groups[x[first]!]!;
    for (let second = 0; second < y.length; second++) {
      const coming = groups[y[second]!]!;
      const more = going.weight - coming.weight;
      const off = Math.abs(more - wanted);
      if (off >= nearest || going.members.length !== coming.members.length) continue;
      if (!mayChange(arrangement, x, first, y[second]!) || !mayChange(arrangement, y, second, x[first]!))
        continue;
      nearest = off;
      best = { a, b, first, second, more };
    }
  }
  return best;
}

/** Whether a team satisfies its constraints when another group replaces one of its own. */
function mayChange(
  { groups, avoids, keepsRoles, lone }: Arrangement,
  units: readonly number[],
  leaving: number,
  joining: number,
): boolean {
  if (lone) return true;
  const stay = units.flatMap((unit, at) => (at === leaving ? [] : groups[unit]!.members));
  const { members } = groups[joining]!;
  return (
    members.every((i) => stay.every((j) => !avoids(i, j)) && members.every((j) => !avoids(i, j))) &&
    keepsRoles([...stay, ...members])
  );
}
