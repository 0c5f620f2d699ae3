import { Unsolvable, type Calibration, type SkillBelief } from '@muster/domain';
import type { PoolModel } from '../pool/pool-model.js';
import { newcomerLevels } from './newcomer.js';
import type { WatchedMatch } from './results.js';

/** The uncertainty of a known level, as a share of a newcomer's. */
const knownShare = 0.25;

/**
 * The chance of a player's team if the player had each of `newcomerLevels`, by the pool's model and calibration.
 *
 * @param start the rating of a newcomer, in the model's units
 * @param team, player indices in the match
 * @returns null when a rating is not known, or the model cannot tell without the facts of the match
 */
export function levelChances(
  { model, predict }: Pick<PoolModel, 'model' | 'predict'>,
  start: SkillBelief,
  calibration: Calibration,
  { before, situation }: Pick<WatchedMatch, 'before' | 'situation'>,
  team: number,
  player: number,
): number[] | null {
  const known = before.map((beliefs) => beliefs.filter((belief): belief is SkillBelief => belief !== null));
  if (known.some((beliefs, t) => beliefs.length < (before[t]?.length ?? 0))) return null;
  try {
    const states = known.map((beliefs) => beliefs.map((belief) => model.seed(belief)));
    return newcomerLevels.map((level) => {
      const state = model.seed({
        mu: start.mu + level * start.sigma,
        sigma: knownShare * start.sigma,
      });
      const teams = states.map((each, t) => each.map((own, p) => (t === team && p === player ? state : own)));
      return predict({ teams, situation }, calibration).chances[team] ?? 0;
    });
  } catch (error) {
    if (error instanceof Unsolvable) return null;
    throw error;
  }
}
