import {
  counted,
  likeliest,
  noEvidence,
  normalised,
  noTally,
  ratioOf,
  tempered,
  withMatch,
} from './evidence.js';
import type { Evidence, Onset, Tally } from './evidence.js';

/** Levels that a new account may have, in start uncertainties above a newcomer's mean. */
export const newcomerLevels = [-2.5, -2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5] as const;
/** Levels from this one on are those of experienced players: 2 % of newcomers are there. */
const experienced = 2;
const experiencedLevels = newcomerLevels.filter((level) => level >= experienced);
/** Matches in which an account is new. */
export const newcomerMatches = 20;

const onset: Onset = { patience: null, switching: 0 };

/**
 * Watches the first matches of an account. The level of an honest newcomer is normal about the start value and is learned
 * from the results; an experienced player has a high one from the first match on.
 */
export interface NewcomerWatch {
  readonly evidence: Evidence;
  /** How likely each level is for an honest newcomer with these results; adds up to 1. */
  readonly levels: readonly number[];
  readonly tally: Tally;
}

export const newNewcomer: NewcomerWatch = {
  evidence: noEvidence(experiencedLevels.length),
  levels: normalised(newcomerLevels.map((level) => Math.exp((-level * level) / 2))),
  tally: noTally,
};

/**
 * @param chance the pool's chance of the player's team
 * @param chances the same if the player had each of `newcomerLevels`
 * @param outcome 1 won, 0 lost, in between for a draw
 * @returns null when the account is not new any more
 */
export function watchNewcomer(
  { evidence, levels, tally }: NewcomerWatch,
  chance: number,
  chances: readonly number[],
  outcome: number,
): NewcomerWatch | null {
  if (evidence.matches >= newcomerMatches) return null;
  const each = chances.map(tempered);
  const honest = levels.reduce((sum, share, i) => sum + share * (each[i] ?? 0), 0);
  const ratios = each.slice(-experiencedLevels.length).map((cheat) => ratioOf(honest, cheat, outcome));
  return {
    evidence: withMatch(evidence, ratios, onset),
    levels: normalised(levels.map((share, i) => share * ratioOf(honest, each[i] ?? 0, outcome))),
    tally: counted(tally, chance, outcome),
  };
}

/**
 * The evidence that counts, as a logarithm. Of a few matches more is required: (20 / matches)² times as much. Constant
 * evidence would spend most of its false alarms on newcomers who begin with some wins.
 */
export function newcomerEvidence({ evidence }: NewcomerWatch): number {
  return evidence.log - 2 * Math.log(newcomerMatches / Math.max(1, evidence.matches));
}

/** The level of an experienced player that explains the results best, in start uncertainties above a newcomer's mean. */
export function levelOf({ evidence }: NewcomerWatch): number {
  return experiencedLevels[likeliest(evidence)] ?? experienced;
}
