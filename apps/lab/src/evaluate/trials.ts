import type { ModelKind } from '@muster/skill';
import type { Bytes } from '../match-file/bytes.js';
import { matchesOf, type HistoryPlan, type TestMatch } from './history.js';
import { Trial, type NotApplicable, type Tried, type TrialOptions, type TrialPrediction } from './trial.js';

/** A model’s result and duration. */
export type Timed = Tried & {
  /** Seconds of predicting and rating. */
  readonly seconds: number;
};

/** What is told while models are tried. */
export interface TrialEvents {
  /** Called now and then with the number of matches that were replayed since the last call. */
  onMatches(count: number): void;
  onPrediction?(model: string, match: TestMatch, prediction: TrialPrediction): void;
}

const matchesPerEvent = 256;

/** Tries several models in one pass over a history: each match is read once. Results are in the order of the models. */
export function runTrials(
  kinds: readonly ModelKind[],
  bytes: Bytes,
  plan: HistoryPlan,
  options: TrialOptions,
  { onMatches, onPrediction }: TrialEvents,
): (Timed | NotApplicable)[] {
  const trials = kinds.map((kind) => ({ model: kind.name, trial: new Trial(kind, plan, options), spent: 0 }));
  let unreported = 0;
  for (const match of matchesOf(bytes, plan)) {
    for (const each of trials) {
      const startedAt = performance.now();
      const prediction = each.trial.take(match);
      each.spent += performance.now() - startedAt;
      if (prediction) onPrediction?.(each.model, match, prediction);
    }
    if (++unreported < matchesPerEvent) continue;
    onMatches(unreported);
    unreported = 0;
  }
  onMatches(unreported);
  return trials.map(({ trial, spent }) => {
    const result = trial.result();
    return 'reason' in result ? result : { ...result, seconds: spent / 1000 };
  });
}
