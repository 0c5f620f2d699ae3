import type { Arrangement } from './arrangement.js';
import type { Budget } from '../problem/budget.js';
import type { Teams } from './team-search.js';

/** Steps of the search for room. */
const mostSteps = 2_000_000;

/**
 * Finds room for every party, whatever the weights: fills team after team with groups, the largest that fit first, and
 * remembers which numbers of remaining groups of each size left no way to fill the other teams.
 *
 * @returns null when there is no way; undefined when none was found within the step limit
 */
export function pack({ groups, problem }: Arrangement, budget: Budget): Teams | null | undefined {
  const sizes = [...new Set(groups.map(({ members }) => members.length))].toSorted((a, b) => b - a);
  const left = sizes.map((size) => groups.filter(({ members }) => members.length === size));
  const counts = left.map((list) => list.length);
  const order = [...problem.teamSizes.keys()].toSorted(
    (a, b) => problem.teamSizes[b]! - problem.teamSizes[a]! || a - b,
  );
  /** By team, the index of each of its groups' sizes. */
  const filled: number[][] = problem.teamSizes.map(() => []);
  const hopeless = new Set<string>();
  const end = budget.operations + mostSteps;
  const isOver = (): boolean => budget.operations > end;

  const fill = (at: number, room: number, from: number): boolean => {
    budget.spend(1);
    if (isOver()) return false;
    if (room === 0) return next(at + 1);
    for (let s = from; s < sizes.length; s++) {
      if (counts[s] === 0 || sizes[s]! > room) continue;
      counts[s]!--;
      filled[order[at]!]!.push(s);
      if (fill(at, room - sizes[s]!, s)) return true;
      filled[order[at]!]!.pop();
      counts[s]!++;
    }
    return false;
  };
  const next = (at: number): boolean => {
    if (at === order.length) return true;
    const state = `${at}:${counts.join()}`;
    if (hopeless.has(state)) return false;
    if (fill(at, problem.teamSizes[order[at]!]!, 0)) return true;
    hopeless.add(state);
    return false;
  };
  if (!next(0)) return isOver() ? undefined : null;
  return filled.map((list) => list.flatMap((s) => left[s]!.pop()!.members));
}
