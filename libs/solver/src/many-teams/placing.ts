import type { Arrangement, BestTeams } from './arrangement.js';
import type { Budget } from '../problem/budget.js';

/**
 * Places group after group on every team with room, the lightest team first, and keeps the best: branch and bound. Pruned
 * branches cannot be better: empty teams of one size are equal, and a branch ends when the teams so far, filled up with the
 * lightest or the heaviest available, must differ by more than the best found.
 *
 * @param enough ends as soon as this many were found, optimal or not; Infinity searches all
 * @param mostSteps step limit
 * @returns whether the search was complete
 * @throws OutOfTime
 */
export function placeAll(
  arrangement: Arrangement,
  best: BestTeams,
  enough: number,
  budget: Budget,
  mostSteps: number,
): boolean {
  const { groups, problem, level, uneven, measure, avoids, keepsRoles, weights } = arrangement;
  const { teamSizes } = problem;
  const teams: number[][] = teamSizes.map(() => []);
  const sums = teamSizes.map(() => 0);
  const room = [...teamSizes];
  const values = weights.values.slice(0, problem.players.length);
  const lightest = values.reduce((a, b) => Math.min(a, b), Infinity);
  const heaviest = values.reduce((a, b) => Math.max(a, b), -Infinity);
  const end = budget.operations + mostSteps;
  let found = 0;

  const hopeless = (): boolean => {
    let high = -Infinity;
    let low = Infinity;
    for (let t = 0; t < sums.length; t++) {
      high = Math.max(high, level(t, sums[t]! + room[t]! * lightest));
      low = Math.min(low, level(t, sums[t]! + room[t]! * heaviest));
    }
    return uneven(low, high) > best.threshold;
  };
  const isEquivalent = (team: number): boolean => {
    if (teams[team]!.length > 0) return false;
    for (let other = 0; other < team; other++) {
      if (teamSizes[other] === teamSizes[team] && teams[other]!.length === 0) return true;
    }
    return false;
  };
  // Placing a group examines every team several times.
  const work = 8 * teams.length;
  const place = (index: number): boolean => {
    budget.spend(work);
    if (budget.operations > end) return false;
    const group = groups[index];
    if (!group) {
      if (!teams.every((team) => keepsRoles(team))) return true;
      best.offer(measure(teams.map((team) => [...team])));
      return ++found < enough;
    }
    if (hopeless()) return true;
    const size = group.members.length;
    const candidates = teams
      .map((_, t) => t)
      .filter((t) => room[t]! >= size && !isEquivalent(t))
      .toSorted((a, b) => level(a, sums[a]!) - level(b, sums[b]!) || a - b);
    for (const t of candidates) {
      const team = teams[t]!;
      if (
        group.members.some((i) => team.some((j) => avoids(i, j)) || group.members.some((j) => avoids(i, j)))
      )
        continue;
      const sum = sums[t]!;
      team.push(...group.members);
      sums[t] = sum + group.weight;
      room[t]! -= size;
      const goesOn = place(index + 1);
      team.length -= size;
      sums[t] = sum;
      room[t]! += size;
      if (!goesOn) return false;
    }
    return true;
  };
  return place(0);
}
