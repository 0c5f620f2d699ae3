import { scorePredictions, type Predicted, type PredictionScore } from '@muster/skill';

/** A match: the prediction before it, and the outcome. */
export interface Judged {
  readonly prediction: readonly number[];
  readonly ranks: readonly number[];
}

/** The quality of predictions made before each match. */
export interface Figures {
  /** All matches of two teams. */
  readonly scored: PredictionScore;
  /** The same without draws and without the first fifth, in which most players are still unknown. */
  readonly last80: PredictionScore;
  /** Matches with more than two teams: counted, not scored. */
  readonly manyTeams: number;
}

/** @param judged oldest first */
export function figuresOf(judged: readonly Judged[]): Figures {
  const predicted = judged.flatMap(({ prediction, ranks }) => {
    const [chance] = prediction;
    return ranks.length === 2 && chance !== undefined ? [{ chance, outcome: outcomeOf(ranks) }] : [];
  });
  const decided = predicted.filter(({ outcome }) => outcome !== 0.5);
  return {
    scored: scorePredictions(predicted),
    last80: scorePredictions(decided.slice(Math.floor(decided.length / 5))),
    manyTeams: judged.filter(({ ranks }) => ranks.length > 2).length,
  };
}

/** Rank 1 is best. */
function outcomeOf([first = 0, second = 0]: readonly number[]): Predicted['outcome'] {
  if (first === second) return 0.5;
  return first < second ? 1 : 0;
}
