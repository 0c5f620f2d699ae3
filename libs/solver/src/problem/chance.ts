import { own } from '@muster/domain';
import { erf } from './normal.js';
import type { Objective, SplitPlayer } from './problem.js';

/**
 * The standard deviation of the difference of two teams' performances, √(Σσ² + nβ²): each performance is normal about the
 * weight, with the player's uncertainty σ and the game's β.
 */
export function spreadOf(
  { beta, sigmas }: Extract<Objective, { kind: 'win' }>,
  players: readonly Pick<SplitPlayer, 'id'>[],
): number {
  return Math.sqrt(players.reduce((sum, { id }) => sum + (own(sigmas, id) ?? 0) ** 2 + beta ** 2, 0));
}

/** The difference between two teams' chances for a `difference` of their sums: 2Φ(difference / spread) − 1. */
export function chanceGap(difference: number, spread: number): number {
  return erf(difference / (spread * Math.SQRT2));
}

/** The first of two teams' chance to win, when its sum leads by `ahead`. */
export function chanceToWin(
  ahead: number,
  objective: Extract<Objective, { kind: 'win' }>,
  players: readonly Pick<SplitPlayer, 'id'>[],
): number {
  return (1 + chanceGap(ahead, spreadOf(objective, players))) / 2;
}
