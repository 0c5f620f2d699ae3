import { Unsolvable, type Division, type SkillBelief } from '@muster/domain';
import type { RatingModel, SkillState } from '../model.js';

/** Where a booster leads. */
export interface BoosterTarget {
  /** The level at which opponents are sought, in the units of the divisions. */
  readonly level: number;
  /** Whether the division is above the player's own. */
  readonly higher: boolean;
}

/**
 * Where a booster for a division leads a player of another one.
 *
 * @param divisions those of the pool, lowest first
 * @param start the rating of a newcomer
 * @param own name of the player's division
 * @param wanted name of the booster's division
 * @param most divisions between them, at most
 * @throws Unsolvable with why there is no such booster, as a sentence for its player
 */
export function boosterTarget(
  divisions: readonly Division[],
  start: SkillBelief,
  own: string,
  wanted: string,
  most: number,
): BoosterTarget {
  const names = divisions.map(({ name }) => name);
  const [from, to] = [names.indexOf(own), names.indexOf(wanted)];
  if (to === -1) throw new Unsolvable(`The pool has no division "${wanted}"; there is ${names.join(', ')}.`);
  if (from === to) throw new Unsolvable(`The player is in ${wanted} already, and needs no booster for it.`);
  if (Math.abs(to - from) > most)
    throw new Unsolvable(
      `A booster leads at most ${most} ${most === 1 ? 'division' : 'divisions'} away; ${wanted} is ${Math.abs(to - from)} away from ${own}.`,
    );
  return { level: divisionLevel(divisions, to, start), higher: to > from };
}

/**
 * The middle of a division. The lowest and the highest have one border: they count as wide as their neighbour, or as the
 * start uncertainty where that has one border too.
 *
 * @param index from 0, the lowest; there is such a division, and another one
 */
export function divisionLevel(divisions: readonly Division[], index: number, start: SkillBelief): number {
  const border = (i: number): number | null => divisions[i]?.from ?? null;
  const widthOf = (i: number): number => {
    const [lower, upper] = [border(i), border(i + 1)];
    return lower === null || upper === null ? start.sigma : upper - lower;
  };
  const [lower, upper] = [border(index), border(index + 1)];
  if (lower !== null && upper !== null) return (lower + upper) / 2;
  if (upper !== null) return upper - widthOf(index + 1) / 2;
  if (lower !== null) return lower + widthOf(index - 1) / 2;
  return start.mu;
}

/**
 * A state after a match with a booster: the mean has moved `kFactor` times as far as by the result alone, within the range
 * of the model. The uncertainty and all else is as rated: the result says no more than another one, the rating is only
 * trusted less. As the factor multiplies the step of one player, the mean of all ratings moves by (kFactor − 1) steps; a
 * rating that is right has steps whose mean is 0, so it drifts nowhere.
 *
 * @param before, after the state before the match, and as rated without a booster
 * @param kFactor from 1
 */
export function boostedState<S extends SkillState>(
  model: Pick<RatingModel<S>, 'belief' | 'moved' | 'range'>,
  before: S,
  after: S,
  kFactor: number,
): S {
  const { mu: from } = model.belief(before);
  const { mu: to } = model.belief(after);
  if (kFactor === 1 || to === from) return after;
  const [least, most] = model.range.mu;
  // A rating that is beyond the range already stays where the result took it.
  const far = Math.min(Math.max(from + kFactor * (to - from), Math.min(least, to)), Math.max(most, to));
  return model.moved(after, far);
}
