import type { Season, StoredRating } from '@muster/domain';
import {
  aspectsAtSeasonStart,
  atSeasonStart,
  divisionAfter,
  ratedAspects,
  rested,
  type AspectSkills,
  type PoolModel,
  type SkillState,
} from '@muster/skill';
import type { OpenPool } from './open-pool.js';

/** The rating of a player without one. */
export const unrated: StoredRating = { state: null, matches: 0, division: null, lastRatedAt: null };

/** A stored rating in the season that runs: what was stored, and what seasons changed since. */
export interface CurrentRating {
  readonly state: SkillState;
  /** As it was stored. */
  readonly stored: SkillState;
  /** Since when it has not changed, in milliseconds since the epoch; null: it never has. */
  readonly since: number | null;
  readonly division: string | null;
  /** Rated matches in the season that runs, or all of them where no season has begun. */
  readonly seasonMatches: number;
  /** Skill by the aspects that the pool rates; undefined where there is none. */
  readonly aspects: AspectSkills | undefined;
}

/** The state of a stored rating as it was left; the start state for a player without one. */
export function stateOf({ model }: PoolModel, { state }: StoredRating): SkillState {
  return state === null ? model.initial() : model.read(state);
}

/**
 * A stored rating brought to the season that runs. Seasons reset ratings when they are read or rated, never all at once:
 * each start is the policy of inactivity up to it, then the reset. Reads, matches and rebuilds use this function, so they find
 * the same value.
 */
export function currentOf(
  open: OpenPool,
  seasons: readonly Season[] | undefined,
  rating: StoredRating,
): CurrentRating {
  const from = rating.season ?? 0;
  const stored = stateOf(open.model, rating);
  const current: CurrentRating = {
    state: stored,
    stored,
    since: idleSince(rating, seasons),
    division: rating.division,
    seasonMatches: from === 0 ? rating.matches : (rating.seasonMatches ?? 0),
    aspects: open.rules.aspects ? ratedAspects(rating.aspects ?? [], open.rules.aspects) : undefined,
  };
  // Nearly always: this is asked for each player of each match.
  if (!seasons || seasons.length <= from) return current;
  return seasons.slice(from).reduce((before, season) => begun(open, season, before), current);
}

/** A rating at the start of a season. */
function begun(
  open: OpenPool,
  season: Season,
  { state, stored, since, aspects }: CurrentRating,
): CurrentRating {
  const idle = afterTime(open, state, since, season.startedAt);
  return {
    state: atSeasonStart(open.model.model, idle, open.start, season),
    stored,
    since: since === null ? null : Math.max(since, season.startedAt),
    division: null,
    seasonMatches: 0,
    aspects: open.rules.aspects
      ? aspects && aspectsAtSeasonStart(aspects, open.rules.aspects, season)
      : undefined,
  };
}

/**
 * The state of a stored rating at a time: seasons and the pool's policy of inactivity say what time without a match does.
 *
 * @param at milliseconds since the epoch
 */
export function stateAt(
  open: OpenPool,
  seasons: readonly Season[] | undefined,
  rating: StoredRating,
  at: number,
): SkillState {
  const { state, since } = currentOf(open, seasons, rating);
  return afterTime(open, state, since, at);
}

/** A rating at a time, with what it means: the belief, and the division that it is in by then. */
export function standingAt(
  open: OpenPool,
  seasons: readonly Season[] | undefined,
  rating: StoredRating,
  at: number,
): Pick<CurrentRating, 'since' | 'seasonMatches' | 'aspects'> & {
  readonly state: SkillState;
  readonly mu: number;
  readonly sigma: number;
  readonly division: string;
} {
  const { state: kept, division, ...current } = currentOf(open, seasons, rating);
  const state = afterTime(open, kept, current.since, at);
  const { mu, sigma } = open.model.model.belief(state);
  const { name } = divisionAfter(open.divisions, division, mu, open.margin);
  return { ...current, state, mu, sigma, division: name };
}

/** A state of `currentOf` at a time. */
export function afterTime(
  { model, start, inactivity }: OpenPool,
  state: SkillState,
  since: number | null,
  at: number,
): SkillState {
  return inactivity ? rested(model.model, state, start, since, at, inactivity) : state;
}

/** The latest of the last match, the last time it was set, and the start of its season. */
function idleSince(
  { lastRatedAt, setAt, season = 0 }: StoredRating,
  seasons: readonly Season[] | undefined,
): number | null {
  const changed = setAt ? Math.max(setAt, lastRatedAt ?? setAt) : lastRatedAt;
  const startedAt = seasons?.[season - 1]?.startedAt;
  return changed === null || startedAt === undefined ? changed : Math.max(changed, startedAt);
}

/** Whether a rating is hidden from its player, and for how many more matches. */
export function hiddenFor(
  { rules }: OpenPool,
  seasons: readonly Season[] | undefined,
  matches: number,
  seasonMatches: number,
): { readonly hidden: boolean; readonly left: number } {
  const leftInSeason = (seasons?.at(-1)?.placementMatches ?? 0) - seasonMatches;
  const most = Math.max(rules.shadowMatches - matches, leftInSeason, 0);
  return { hidden: most > 0, left: most };
}
