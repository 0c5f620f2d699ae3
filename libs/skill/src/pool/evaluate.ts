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

/** The prediction for a match before it was rated. */
export interface PredictedMatch {
  readonly ranks: readonly number[];
  readonly prediction: PoolPrediction;
}

/** A calibration is learned again whenever the history has grown by this share, and by at least this many matches. */
const growth = 1.1;
const leastGrowth = 25;

/**
 * Replays a history in order: predict, then rate. The calibration is learned only from matches before the predicted one.
 */
export function* predictHistory(
  pool: PoolModel,
  history: Iterable<HistoricMatch>,
): Generator<PredictedMatch> {
  const states = new Map<string, SkillState>();
  const newcomer = pool.model.initial();
  const samples: Sample[] = [];
  let calibration: Calibration = uncalibrated;
  let refitAt = leastGrowth;
  for (const { players, ranks, ...rest } of history) {
    const teams = players.map((team) => team.map((id) => states.get(id) ?? newcomer));
    const prediction = pool.predict(beforehand({ ...rest, teams }), calibration);
    yield { ranks, prediction };
    const after = pool.rate({ ...rest, teams }, ranks, calibration);
    players.forEach((team, t) => team.forEach((id, p) => states.set(id, after[t]?.[p] ?? newcomer)));
    samples.push({ raw: prediction.raw, features: prediction.features, ranks });
    if (samples.length >= refitAt) {
      calibration = fitCalibration(samples);
      refitAt = Math.max(refitAt + leastGrowth, Math.ceil(refitAt * growth));
    }
  }
}
