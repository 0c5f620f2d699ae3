import { own } from '@muster/domain';
import type { MatchStats } from './table.js';

/** A player's stats in a match, and how it ended. */
export interface StatsOfMatch extends MatchStats {
  /** 1 won, 0 lost, ½ drawn; of many teams the share that was behind. */
  readonly outcome: number;
}

/** By stat, how much more of it a player has in a match won than in one lost. */
export type OutcomeShares = Readonly<Record<string, number>>;

interface Sums {
  readonly of: number;
  readonly outcome: number;
  readonly product: number;
  readonly squares: number;
  readonly count: number;
}

const nothing: Sums = { of: 0, outcome: 0, product: 0, squares: 0, count: 0 };

/**
 * How much of each stat comes with the outcome, by the differences between matches of the same player: the slope of the stat
 * on the outcome with the players' own means taken out. Between players the two are related by skill, which is to be kept.
 *
 * @param rows with the same numbers in all of them
 */
export function outcomeShares(rows: readonly (StatsOfMatch & { readonly player: string })[]): OutcomeShares {
  const names = Object.keys(rows[0]?.numbers ?? {});
  return Object.fromEntries(names.map((name) => [name, shareOf(rows, name)]));
}

function shareOf(rows: readonly (StatsOfMatch & { readonly player: string })[], name: string): number {
  const players = new Map<string, Sums>();
  for (const { player, numbers, outcome } of rows) {
    const value = own(numbers, name) ?? 0;
    const sums = players.get(player) ?? nothing;
    players.set(player, {
      of: sums.of + value,
      outcome: sums.outcome + outcome,
      product: sums.product + value * outcome,
      squares: sums.squares + outcome * outcome,
      count: sums.count + 1,
    });
  }
  let [shared, varied] = [0, 0];
  for (const { of, outcome, product, squares, count } of players.values()) {
    shared += product - (of * outcome) / count;
    varied += squares - (outcome * outcome) / count;
  }
  // Rounding makes constant outcomes vary slightly.
  return varied > 1e-9 * rows.length && Number.isFinite(shared) ? shared / varied : 0;
}

/**
 * The stats without what came with the outcome. Results tell how often a player won; without this, luck would be counted
 * once as the result and again as the kills that came with it.
 */
export function withoutOutcome(
  { numbers, categories, outcome }: StatsOfMatch,
  shares: OutcomeShares,
): MatchStats {
  return {
    numbers: Object.fromEntries(
      Object.entries(numbers).map(([name, value]) => [
        name,
        value - (own(shares, name) ?? 0) * (outcome - 0.5),
      ]),
    ),
    ...(categories ? { categories } : {}),
  };
}
