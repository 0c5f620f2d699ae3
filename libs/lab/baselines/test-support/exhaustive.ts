import type { WeighedPlayer } from '../src/sums.js';

type Players = readonly WeighedPlayer[];

const sumOf = (players: Players): number => players.reduce((sum, { weight }) => sum + weight, 0);

/** All choices of so many players. */
function* choices(players: Players, size: number): Generator<WeighedPlayer[]> {
  if (size === 0) return yield [];
  for (const [i, player] of players.entries())
    for (const rest of choices(players.slice(i + 1), size - 1)) yield [player, ...rest];
}

/** The least difference of two teams of each size from 2 on, by trying all; with the heaviest player where `heaviestPlays`. */
export function leastBySize(players: Players, heaviestPlays: boolean): number[] {
  const heaviest = Math.max(...players.map(({ weight }) => weight));
  const most = Math.floor(players.length / 2);
  return Array.from({ length: Math.max(0, most - 1) }, (_, i) => {
    let least = Infinity;
    for (const lineup of choices(players, 2 * (i + 2))) {
      if (heaviestPlays && lineup.every(({ weight }) => weight < heaviest)) continue;
      for (const team of choices(lineup, i + 2))
        least = Math.min(least, Math.abs(2 * sumOf(team) - sumOf(lineup)));
    }
    return least;
  });
}

/** The least difference after one swap between two teams, by trying all, or after none. */
export function leastByOneSwap(first: Players, second: Players): number {
  const apart = sumOf(first) - sumOf(second);
  const swapped = first.flatMap((going) =>
    second.map((coming) => Math.abs(apart - 2 * going.weight + 2 * coming.weight)),
  );
  return Math.min(Math.abs(apart), ...swapped);
}
