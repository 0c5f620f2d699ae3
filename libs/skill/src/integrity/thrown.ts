import { counted, noEvidence, noTally, ratioOf, shifted, tempered, withMatch } from './evidence.js';
import type { Evidence, Onset, Tally } from './evidence.js';

/** A player who throws a match wins it with this share of the predicted chance. */
const thrownShare = 0.05;
/** Between thrown matches the rating is too low by these log-odds. */
const heldBack = 1.5;
const onset: Onset = { patience: 20, switching: 0.1 };

/**
 * Watches for a player who loses on purpose for some matches, and plays from a rating that is too low in others. The
 * evidence is that of a hidden Markov chain of the two, against results by the predicted chances.
 */
export interface ThrownWatch {
  readonly evidence: Evidence;
  /** Since nothing spoke for it. */
  readonly tally: Tally;
  /** Losses in a row now, and at most, since nothing spoke for it. */
  readonly run: number;
  readonly longest: number;
}

export const newThrown: ThrownWatch = { evidence: noEvidence(2), tally: noTally, run: 0, longest: 0 };

/** @param chance, outcome of the player's team: 1 won, 0 lost, in between for a draw */
export function watchThrown(
  { evidence: before, tally, run, longest }: ThrownWatch,
  chance: number,
  outcome: number,
): ThrownWatch {
  const honest = tempered(chance);
  const ratios = [
    ratioOf(honest, thrownShare * honest, outcome),
    ratioOf(honest, shifted(honest, heldBack), outcome),
  ];
  const evidence = withMatch(before, ratios, onset);
  const lost = outcome === 0 ? run + 1 : 0;
  if (evidence.log <= 0) return { evidence, tally: noTally, run: lost, longest: lost };
  return { evidence, tally: counted(tally, chance, outcome), run: lost, longest: Math.max(longest, lost) };
}
