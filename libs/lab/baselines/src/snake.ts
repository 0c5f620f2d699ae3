import type { BaselineWork } from './steps.js';
import { asTeams, heaviestFirst, type BaselineTeams, type WeighedPlayer } from './sums.js';

export interface SnakeTeams extends BaselineTeams, BaselineWork {}

/**
 * The snake draft: heaviest first, one player each to the first team, the second … the last, and back again from the last
 * to the first. Full teams are skipped.
 *
 * Limitation: it ignores the sums, so two heavy players in a row leave a difference to the end.
 *
 * An operation is one player placed.
 *
 * @param teamSizes adds up to the number of players
 */
export function snake(players: readonly WeighedPlayer[], teamSizes: readonly number[]): SnakeTeams {
  const teams: WeighedPlayer[][] = teamSizes.map(() => []);
  const left = heaviestFirst(players);
  for (let round = 0; left.length > 0; round++) {
    const there = teams.map((team, t) => ({ team, size: teamSizes[t] ?? 0 }));
    const open = (round % 2 === 0 ? there : there.toReversed()).filter(
      ({ team, size }) => team.length < size,
    );
    if (open.length === 0) break;
    for (const { team } of open) team.push(...left.splice(0, 1));
  }
  return { ...asTeams(teams), operations: players.length - left.length, finished: left.length === 0 };
}
