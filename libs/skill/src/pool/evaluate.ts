import type { Calibration } from '@muster/domain';
import type { SkillState } from '../model.js';
import { fitCalibration, type Sample } from '../prediction/fit.js';
import { uncalibrated } from '../prediction/calibration.js';
import { beforehand, type PooledMatch, type PoolModel, type PoolPrediction } from './pool-model.js';

/** A match of a recorded history, oldest first. */
export interface HistoricMatch extends Omit<PooledMatch, 'teams'> {
  /** Player ids by team. */
  readonly players: readonly (readonly string[])[];
  readonly ranks: readonly number[];
}

/** What was said of a match before it was rated. */
export interface Foretold {
  readonly ranks: readonly number[];
  readonly prediction: PoolPrediction;
}

/** A calibration is learned anew whenever the history has grown by this much, and by so many matches at least. */
const growth = 1.1;
const leastGrowth = 25;

/**
 * Goes through a history as it happened: predict, then rate. The calibration is learned from matches before the one that is
 * predicted, and from no other.
 */
export function* foretell(pool: PoolModel, history: Iterable<HistoricMatch>): Generator<Foretold> {
  const states = new Map<string, SkillState>();
  const stranger = pool.model.initial();
  const samples: Sample[] = [];
  let calibration: Calibration = uncalibrated;
  let refitAt = leastGrowth;
  for (const { players, ranks, ...rest } of history) {
    const teams = players.map((team) => team.map((id) => states.get(id) ?? stranger));
    const prediction = pool.predict(beforehand({ ...rest, teams }), calibration);
    yield { ranks, prediction };
    const after = pool.rate({ ...rest, teams }, ranks, calibration);
    players.forEach((team, t) => team.forEach((id, p) => states.set(id, after[t]?.[p] ?? stranger)));
    samples.push({ raw: prediction.raw, features: prediction.features, ranks });
    if (samples.length >= refitAt) {
      calibration = fitCalibration(samples);
      refitAt = Math.max(refitAt + leastGrowth, Math.ceil(refitAt * growth));
    }
  }
}
