import { Unsolvable } from '@muster/domain';
import { glicko2Kind } from './glicko2/glicko2.js';
import { eloKind } from './elo/elo.js';
import { guarded } from './guard.js';
import { hiveKind } from './hive/hive.js';
import { logWeightKinds } from './log-weights/log-weights.js';
import type { ModelKind, RatingModel } from './model.js';
import { openskillKinds } from './openskill/openskill.js';
import { performanceWeightKind } from './performance/performance-weight.js';
import { pubPowerKind } from './pub-power/pub-power.js';
import { readParameters, type ModelParameters } from './parameters.js';
import { syneloKind } from './synelo/synelo.js';
import { trueskillKind } from './trueskill/trueskill.js';

/** Every kind of model; the first is the default. */
export const modelKinds: readonly ModelKind[] = [
  ...openskillKinds,
  trueskillKind,
  glicko2Kind,
  eloKind,
  syneloKind,
  hiveKind,
  ...logWeightKinds,
  pubPowerKind,
  performanceWeightKind,
];

/** @throws Unsolvable when there is no such model, with the known names */
export function kindNamed(name: string): ModelKind {
  const kind = modelKinds.find((candidate) => candidate.name === name);
  if (!kind)
    throw new Unsolvable(
      `There is no rating model "${name}"; there is ${modelKinds.map((each) => each.name).join(', ')}.`,
      { model: name },
    );
  return kind;
}

/**
 * The model of that name with its parameters, guarded.
 *
 * @throws Unsolvable when there is no such model, or a parameter is unknown or out of range
 */
export function modelOf(name: string, parameters: ModelParameters = {}): RatingModel {
  const kind = kindNamed(name);
  return guarded(kind.open(readParameters(kind.parameters, parameters)));
}
