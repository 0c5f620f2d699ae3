import type { RatedBefore, RatedMatch } from '@muster/domain';
import { outcomeBetween } from '../contest.js';
import { scorePredictions, type Predicted } from '../score.js';

/**
 * The accuracy of a pool's predictions and the development of its ratings. A match of two teams is one prediction of the
 * first team's chance. A match of more is a prediction for each pair of teams: the chance of one to come before the other,
 * p / (p + q), so that accuracy, log-loss and Brier score mean the same everywhere.
 *
 * @param before totals of the pool's generation before these matches
 * @param matches oldest first
 * @param periods number of parts with equally many matches
 * @param startSigma a newcomer's uncertainty, in the unit of the ratings
 */
export function poolHealth(
  before: RatedBefore,
  matches: readonly RatedMatch[],
  periods: number,
  startSigma: number,
) {
  const size = Math.max(1, Math.ceil(matches.length / periods));
  let { drift, newcomers, converged } = before;
  const cut = [];
  for (let i = 0; i < matches.length; i += size) {
    const part = matches.slice(i, i + size);
    for (const match of part) {
      drift += match.drift;
      newcomers += match.newcomers;
      converged += match.converged;
    }
    const ends = part.map(({ at }) => at);
    cut.push({
      /** When the first and the last of them ended, in milliseconds since the epoch. */
      from: Math.min(...ends),
      to: Math.max(...ends),
      calibrated: scorePredictions(part.flatMap((match) => pairsOf(match, match.chances))),
      /** Distance of the mean of all ratings from the start value, in start uncertainties: inflation if above 0. */
      drift: newcomers === 0 ? 0 : drift / newcomers / startSigma,
      /** Share of the players whose uncertainty is below the pool's bound. */
      converged: newcomers === 0 ? 0 : converged / newcomers,
      players: newcomers,
    });
  }
  const predicted = matches.flatMap((match) => pairsOf(match, match.chances));
  return {
    overall: {
      raw: scorePredictions(matches.flatMap((match) => pairsOf(match, match.raw))),
      calibrated: scorePredictions(predicted),
    },
    deciles: decilesOf(predicted),
    periods: cut,
  };
}

/** A match as predictions for its pairs of teams. */
export function pairsOf({ ranks }: Pick<RatedMatch, 'ranks'>, chances: readonly number[]): Predicted[] {
  const pairs: Predicted[] = [];
  for (let a = 0; a < ranks.length; a++) {
    for (let b = a + 1; b < ranks.length; b++) {
      const [p = 0, q = 0] = [chances[a], chances[b]];
      const [own = 0, other = 0] = [ranks[a], ranks[b]];
      pairs.push({ chance: p + q > 0 ? p / (p + q) : 0.5, outcome: outcomeBetween(own, other) });
    }
  }
  return pairs;
}

/** Predictions by tenths of the predicted chance; empty tenths are left out. */
export function decilesOf(predictions: readonly Predicted[]) {
  const bins = Array.from({ length: 10 }, () => ({ predicted: 0, happened: 0, count: 0 }));
  for (const { chance, outcome } of predictions) {
    const bin = bins[Math.min(9, Math.floor(chance * 10))];
    if (!bin) continue;
    bin.predicted += chance;
    bin.happened += outcome;
    bin.count++;
  }
  return bins
    .filter(({ count }) => count > 0)
    .map(({ predicted, happened, count }) => ({
      /** Mean of the predicted chances. */
      predicted: predicted / count,
      /** Share of them that came true; a draw is half. */
      happened: happened / count,
      count,
    }));
}
