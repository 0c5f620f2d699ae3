import { sigmoid } from './maths/logistic.js';
import type { Contest } from './model.js';
import { amount } from './parameters.js';

/** The parameter of models in which scores weigh a result. */
export const marginParameter = amount(
  0,
  0,
  1e9,
  'score lead that counts as odds of e to 1, where results have scores: a narrow win counts as less than a whole one; 0 ignores scores',
);

/**
 * The score of each team: the largest that a member saw for it, since a player who was absent for a while saw less. Null
 * unless it is known of every team.
 */
export function teamScores({ teams, facts }: Pick<Contest, 'teams' | 'facts'>): number[] | null {
  if (!facts) return null;
  const scores: number[] = [];
  for (let t = 0; t < teams.length; t++) {
    let score = -Infinity;
    for (const { scoredFor } of facts[t] ?? [])
      if (scoredFor !== undefined) score = Math.max(score, scoredFor);
    if (score === -Infinity) return null;
    scores.push(score);
  }
  return scores;
}

/**
 * The outcome of a meeting for a team, 0 to 1, weighed by the score: of a win by lead d, σ(d / margin). A score that
 * contradicts the ranks, or a draw, leaves the outcome as it is.
 *
 * @param outcome 1 for a win, ½ for a draw, 0 for a loss
 * @param lead its score less the other's
 * @param margin above 0
 */
export function weighedOutcome(outcome: number, lead: number, margin: number): number {
  const isConsistent = outcome === 1 ? lead > 0 : outcome === 0 && lead < 0;
  return isConsistent ? sigmoid(lead / margin) : outcome;
}
