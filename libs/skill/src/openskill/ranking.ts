import type { TeamShift } from '../gaussian-team.js';
import type { Ranks } from '../model.js';
import { scaleOf, type TeamPerformance } from './performance.js';

/**
 * The effect of a ranking of several teams on each, under Plackett–Luce: the best of the teams that are left is drawn by
 * exp(mu / c), place by place, where c² is the sum of all variances. Teams of equal rank share their place.
 *
 * @param ranks as long as `teams`
 * @see Weng and Lin (2011), algorithm 4, with γ = σ/c
 */
export function rankingShifts(teams: readonly TeamPerformance[], ranks: Ranks): TeamShift[] {
  const c = scaleOf(teams, 'sum');
  const logits = teams.map(({ mu }) => mu / c);
  const order = teams.map((_, t) => t).sort((s, t) => (ranks[s] ?? 0) - (ranks[t] ?? 0));
  const { logSums, ties } = placesOf(order, logits, ranks);
  return teams.map(({ variance }, t) => {
    let omega = 1 / (ties[t] ?? 1);
    let delta = 0;
    for (const q of order) {
      if ((ranks[q] ?? 0) > (ranks[t] ?? 0)) break;
      const chance = Math.exp((logits[t] ?? 0) - (logSums[q] ?? 0));
      const share = 1 / (ties[q] ?? 1);
      omega -= chance * share;
      delta += chance * (1 - chance) * share;
    }
    return { mean: omega / c, spread: (Math.max(0, delta) * Math.sqrt(variance)) / c ** 3 };
  });
}

/** By team: the logarithm of Σ exp(logit) over the teams of its rank and worse, and the number of its rank. */
function placesOf(
  order: readonly number[],
  logits: readonly number[],
  ranks: Ranks,
): { readonly logSums: readonly number[]; readonly ties: readonly number[] } {
  const logSums = logits.map(() => 0);
  const ties = logits.map(() => 1);
  // As logarithms, because far behind the best every exponential is 0.
  let sum = -Infinity;
  for (let end = order.length; end > 0;) {
    const rank = ranks[order[end - 1] ?? 0];
    let start = end;
    while (start > 0 && ranks[order[start - 1] ?? 0] === rank) {
      start--;
      sum = logAdded(sum, logits[order[start] ?? 0] ?? 0);
    }
    for (const t of order.slice(start, end)) {
      logSums[t] = sum;
      ties[t] = end - start;
    }
    end = start;
  }
  return { logSums, ties };
}

/** ln(e^a + e^b). */
function logAdded(a: number, b: number): number {
  const most = Math.max(a, b);
  return most + Math.log1p(Math.exp(Math.min(a, b) - most));
}
