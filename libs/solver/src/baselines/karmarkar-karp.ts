import type { BaselineWork } from './steps.js';
import { asTeams, type BaselineTeams, type WeighedPlayer } from './sums.js';

export interface DifferencedTeams extends BaselineTeams, BaselineWork {}

/** Two sides that differ by `difference`, the first being the heavier. */
interface Apart {
  readonly difference: number;
  readonly heavy: readonly WeighedPlayer[];
  readonly light: readonly WeighedPlayer[];
}

/**
 * The largest differencing method of Karmarkar and Karp for two teams: put the two largest numbers on different sides,
 * replace them by their difference, and repeat until one number is left.
 *
 * Limitation: it ignores sizes, and returns teams of any size.
 *
 * It has no limit: it takes N − 1 operations.
 */
export function karmarkarKarp(players: readonly WeighedPlayer[]): DifferencedTeams {
  // A negative weight on one team equals its absolute value on the other.
  const left: Apart[] = players
    .map((player) => ({
      difference: Math.abs(player.weight),
      heavy: player.weight >= 0 ? [player] : [],
      light: player.weight >= 0 ? [] : [player],
    }))
    .toSorted((a, b) => a.difference - b.difference);
  let operations = 0;

  while (left.length > 1) {
    const [smaller, larger] = left.splice(-2);
    if (!smaller || !larger) break;
    operations++;
    const rest = apart(larger, smaller);
    const place = left.findLastIndex(({ difference }) => difference <= rest.difference) + 1;
    left.splice(place, 0, rest);
  }
  const [last] = left;
  return { ...asTeams([last?.heavy ?? [], last?.light ?? []]), operations, finished: true };
}

function apart(larger: Apart, smaller: Apart): Apart {
  return {
    difference: larger.difference - smaller.difference,
    heavy: [...larger.heavy, ...smaller.light],
    light: [...larger.light, ...smaller.heavy],
  };
}
