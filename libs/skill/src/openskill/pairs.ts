import type { TeamShift, TeamTotal } from '../gaussian-team.js';
import type { Ranks } from '../model.js';
import type { TwoTeamUpdate } from './two-teams.js';

/** The pairs of teams that are compared: each with every other, or each with its neighbours in the ranking. */
export type Pairing = 'full' | 'part';

/**
 * The effect of a match of several teams on each, where every comparison is a match of two: the sums of their effects. In
 * partial pairing teams of equal rank are in the given order.
 *
 * @param ranks as long as `totals`
 * @see Weng and Lin (2011), algorithms 1 to 3, and section 3.1.4 for partial pairing
 */
export function pairShifts(
  totals: readonly TeamTotal[],
  ranks: Ranks,
  pairing: Pairing,
  update: TwoTeamUpdate,
): TeamShift[] {
  const sums = totals.map(() => ({ mean: 0, spread: 0 }));
  const add = (team: number, { mean, spread }: TeamShift): void => {
    const sum = sums[team];
    if (!sum) return;
    sum.mean += mean;
    sum.spread += spread;
  };
  const order = totals.map((_, t) => t).sort((s, t) => (ranks[s] ?? 0) - (ranks[t] ?? 0));
  for (let k = 0; k < order.length; k++) {
    const last = pairing === 'full' ? order.length - 1 : Math.min(k + 1, order.length - 1);
    for (let l = k + 1; l <= last; l++) {
      const better = order[k] ?? 0;
      const worse = order[l] ?? 0;
      const outcome = ranks[better] === ranks[worse] ? 0.5 : 1;
      const [up, down] = update(totals[better] as TeamTotal, totals[worse] as TeamTotal, outcome);
      add(better, up);
      add(worse, down);
    }
  }
  return sums;
}
