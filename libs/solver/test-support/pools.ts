import type { PoolProblem, RebalanceProblem } from '../src/problem/problem.js';
import { choices, sumOf } from './partitions.js';

interface Weighed {
  readonly weight: number;
}

/** The least difference of two halves of these players. */
export function leastOfHalves(players: readonly Weighed[]): number {
  const all = sumOf(players);
  let least = Infinity;
  for (const team of choices(players, players.length / 2)) {
    const others = players.filter((player) => !team.includes(player));
    least = Math.min(least, Math.abs(sumOf(team) - sumOf(others)));
  }
  return players.length === 0 ? Math.abs(all) : least;
}

/** The players who may play where two teams of `size` are needed. */
function* lineups(
  { players, bench }: PoolProblem,
  size: number,
): Generator<PoolProblem['players'][number][]> {
  if (bench === 'longest-waiting') {
    // Stable: those named first have waited longest where nothing else decides.
    yield players.toSorted((a, b) => (b.waited ?? 0) - (a.waited ?? 0)).slice(0, 2 * size);
    return;
  }
  const heaviest = Math.max(...players.map(({ weight }) => weight));
  for (const lineup of choices(players, 2 * size)) {
    if (bench === 'anyone' || lineup.some(({ weight }) => weight === heaviest)) yield lineup;
  }
}

/** The least difference for every size from 2 on: the first is of 2 against 2. */
export function leastBySize(problem: PoolProblem): number[] {
  const sizes = Array.from(
    { length: Math.max(0, Math.floor(problem.players.length / 2) - 1) },
    (_, i) => i + 2,
  );
  return sizes.map((size) => Math.min(...[...lineups(problem, size)].map(leastOfHalves)));
}

/** The least difference for every number of swaps between two teams, from none on. */
export function leastBySwaps(
  first: RebalanceProblem['players'],
  second: RebalanceProblem['players'],
): number[] {
  const most = Math.min(first.length, second.length);
  const apart = sumOf(first) - sumOf(second);
  return Array.from({ length: most + 1 }, (_, swaps) => {
    let least = Infinity;
    for (const going of choices(first, swaps)) {
      for (const coming of choices(second, swaps)) {
        least = Math.min(least, Math.abs(apart - 2 * sumOf(going) + 2 * sumOf(coming)));
      }
    }
    return least;
  });
}
