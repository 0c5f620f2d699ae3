import type { SplitProblem } from './problem.js';
import type { Quantised } from './quantise.js';

/** The number of places of each team: as many as the rules fill, with room for the largest team. */
export function placesOf(fillTo: number, sizes: readonly number[]): number {
  return placesFor(fillTo, sizes.length, Math.max(...sizes));
}

function placesFor(fillTo: number, teams: number, largest: number): number {
  return Math.max(Math.ceil(fillTo / teams), largest);
}

/**
 * The number to add to every weight, bots included, so that ratios of sums are meaningful: 0 where no team of any allowed
 * size can have a sum of at most zero; otherwise such that the lightest weighs a tenth of the range (or 1, where all weigh
 * the same). Where bots let sizes differ it is one number for all choices of sizes, so that their ratios are comparable.
 *
 * @param descending weights in quanta, heaviest first
 * @param weights the players' first, then a bot's
 */
export function shiftFor(
  problem: SplitProblem,
  descending: Float64Array,
  { values, quantum }: Quantised,
): number {
  const { bots } = problem;
  const n = descending.length;
  const bot = values[n] ?? 0;
  // A sum of rounded weights is off by less than a quantum per player.
  const nought = quantum > 0 ? 2 * n + (bots?.fillTo ?? 0) : 0;
  const lightestFrom = new Float64Array(n + 1);
  for (let i = n - 1; i >= 0; i--) lightestFrom[i] = lightestFrom[i + 1]! + descending[i]!;
  const below = descending.filter((weight) => weight < bot).length;
  const canBeNought = roomsOf(problem).some(({ places, least, most }) => {
    // A team is lightest with all players who are lighter than a bot, and bots for the others, as far as there is room.
    const size = Math.min(most, Math.max(least, below));
    return lightestFrom[n - size]! + bot * (places - size) <= nought;
  });
  if (!canBeNought) return 0;
  const lightest = Math.min(descending[n - 1]!, bots ? bot : Infinity);
  const heaviest = Math.max(descending[0]!, bots ? bot : -Infinity);
  return -lightest + ((heaviest - lightest) / 10 || 1);
}

/** A team of `least` to `most` players, the other `places` for bots. */
interface Room {
  readonly places: number;
  readonly least: number;
  readonly most: number;
}

/** The possible compositions of a team. */
function roomsOf({ players, teamSizes, bots }: SplitProblem): Room[] {
  if (!bots) return teamSizes.map((size) => ({ places: size, least: size, most: size }));
  const { fillTo, maxSizeDifference } = bots;
  if (maxSizeDifference === 0) {
    const places = placesOf(fillTo, teamSizes);
    return teamSizes.map((size) => ({ places, least: size, most: size }));
  }
  const n = players.length;
  const teams = teamSizes.length;
  const rooms: Room[] = [];
  for (let largest = Math.ceil(n / teams); ; largest++) {
    const smallest = Math.max(1, largest - maxSizeDifference);
    const left = n - largest;
    if ((teams - 1) * smallest > left) return rooms;
    const places = placesFor(fillTo, teams, largest);
    rooms.push({ places, least: largest, most: largest });
    // Beside the largest team and this one the others must be able to take the remaining players.
    const least = Math.max(smallest, left - (teams - 2) * largest);
    const most = Math.min(largest - 1, left - (teams - 2) * smallest);
    if (least <= most) rooms.push({ places, least, most });
  }
}
