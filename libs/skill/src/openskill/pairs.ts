import type { TeamShift } from '../gaussian-team.js';
import type { Ranks } from '../model.js';
import type { TeamPerformance } from './performance.js';
import type { TwoTeamUpdate } from './two-teams.js';

/** The pairs of teams that are compared, and what each counts. */
export interface Pairing {
  /** Each team is compared with so many neighbours on either side in the ranking; Infinity for every other team. */
  readonly reach: number;
  /**
   * `whole`: every pair counts as a match of its own. `shared`: the pairs of n teams depend on each other, so that together
   * they weigh as much as n − 1 matches.
   */
  readonly weight: 'whole' | 'shared';
}

/**
 * The effect of a match of several teams on each, where every comparison is a match of two: the sums of their effects.
 * Teams of equal rank are in the given order.
 *
 * @param ranks as long as `teams`
 * @see Weng and Lin (2011), algorithms 1 to 3, and section 3.1.4 for partial pairing; Varin, Reid and Firth (2011), An
 *   overview of composite likelihood methods, for the weight
 */
export function pairShifts(
  teams: readonly TeamPerformance[],
  ranks: Ranks,
  { reach, weight }: Pairing,
  update: TwoTeamUpdate,
): TeamShift[] {
  const each = weight === 'whole' ? 1 : (teams.length - 1) / pairsWithin(teams.length, reach);
  const sums = teams.map(() => ({ mean: 0, spread: 0 }));
  const add = (team: number, { mean, spread }: TeamShift): void => {
    const sum = sums[team];
    if (!sum) return;
    sum.mean += each * mean;
    sum.spread += each * spread;
  };
  const order = teams.map((_, t) => t).sort((s, t) => (ranks[s] ?? 0) - (ranks[t] ?? 0));
  for (let k = 0; k < order.length; k++) {
    const last = Math.min(k + reach, order.length - 1);
    for (let l = k + 1; l <= last; l++) {
      const better = order[k] ?? 0;
      const worse = order[l] ?? 0;
      const outcome = ranks[better] === ranks[worse] ? 0.5 : 1;
      const [up, down] = update(teams[better] as TeamPerformance, teams[worse] as TeamPerformance, outcome);
      add(better, up);
      add(worse, down);
    }
  }
  return sums;
}

/** The number of pairs of teams at most `reach` apart in a ranking. */
function pairsWithin(teams: number, reach: number): number {
  const most = Math.min(reach, teams - 1);
  return most * teams - (most * (most + 1)) / 2;
}
