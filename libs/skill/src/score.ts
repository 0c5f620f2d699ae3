/** The quality of some predictions. Each figure is a mean over the matches counted. */
export interface PredictionScore {
  /** Matches with a winner; draws count in the other two figures only. */
  readonly decided: number;
  readonly matches: number;
  /** Share of decided matches whose winner had the larger chance; an even prediction counts half. */
  readonly accuracy: number;
  /** −ln of the predicted chance of the outcome (natural logarithm); a draw is half of each. 0.693 is a coin flip. */
  readonly logLoss: number;
  /** Squared error of the first team's chance; a draw is ½. 0.25 is a coin flip. */
  readonly brier: number;
}

/** A prediction for two teams and the result. */
export interface Predicted {
  /** Chance of the first team, 0 to 1. */
  readonly chance: number;
  /** 1 first team won, 0 it lost, ½ a draw. */
  readonly outcome: number;
}

/** Scores predictions. Chances are clamped to 1e-12 from 0 and 1, so that one confident miss is not infinite. */
export function scorePredictions(predictions: readonly Predicted[]): PredictionScore {
  let decided = 0;
  let right = 0;
  let logLoss = 0;
  let brier = 0;
  for (const { chance, outcome } of predictions) {
    const p = Math.min(1 - 1e-12, Math.max(1e-12, chance));
    logLoss -= outcome * Math.log(p) + (1 - outcome) * Math.log(1 - p);
    brier += (p - outcome) ** 2;
    if (outcome === 0.5) continue;
    decided++;
    if (chance === 0.5) right += 0.5;
    else if (chance > 0.5 === outcome > 0.5) right++;
  }
  const matches = predictions.length;
  const mean = (sum: number, over: number): number => (over === 0 ? 0 : sum / over);
  return {
    matches,
    decided,
    accuracy: mean(right, decided),
    logLoss: mean(logLoss, matches),
    brier: mean(brier, matches),
  };
}
