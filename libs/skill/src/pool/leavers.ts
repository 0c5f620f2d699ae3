import type { RatingModel, SkillState } from '../model.js';
import type { PooledMatch } from './pool-model.js';

/** Times of presence are exact to this share of a match: players leave as it ends. */
const endShare = 0.02;

/** Who left before the end, where times tell; undefined where nobody did. A share alone does not: it may be of substitutes. */
export function leaversOf({ times }: Pick<PooledMatch, 'times'>): boolean[][] | undefined {
  if (!times) return undefined;
  const { lengthMs, stretches } = times;
  const left = stretches.map((team) =>
    team.map((present) => present !== undefined && (present.at(-1)?.toMs ?? 0) < (1 - endShare) * lengthMs),
  );
  return left.some((team) => team.includes(true)) ? left : undefined;
}

/** A team is short-handed with so many players less than another, by the time of all. */
const leastShort = 0.25;

/**
 * The states after a match, where mates whom a leaver left short-handed keep a share of their loss.
 *
 * @param kept the share, 0 to 1
 * @param sizes of the teams, by the time of all
 */
export function withMatesSpared(
  kept: number,
  model: RatingModel,
  teams: PooledMatch['teams'],
  sizes: readonly number[],
  left: readonly (readonly boolean[])[],
  after: SkillState[][],
): SkillState[][] {
  const most = Math.max(...sizes) - leastShort;
  return after.map((team, t) =>
    (sizes[t] ?? 0) <= most && left[t]?.includes(true)
      ? team.map((state, p) => {
          const [before, now] = [model.belief(teams[t]?.[p] ?? state).mu, model.belief(state).mu];
          const isMate = left[t]?.[p] !== true && now < before;
          return isMate ? model.moved(state, before + kept * (now - before)) : state;
        })
      : team,
  );
}

/** The states after a match, of leavers the one with the lower mean: as it was played, or as if everybody had stayed. */
export function withLeaversCharged(
  model: RatingModel,
  left: readonly (readonly boolean[])[],
  played: readonly (readonly SkillState[])[],
  whole: readonly (readonly SkillState[])[],
): SkillState[][] {
  return played.map((team, t) =>
    team.map((state, p) => {
      const full = whole[t]?.[p];
      if (!left[t]?.[p] || !full) return state;
      return model.belief(full).mu < model.belief(state).mu ? full : state;
    }),
  );
}
