import {
  mostClockSkewMs,
  Unsolvable,
  type Division,
  type InactivityRules,
  type SkillBelief,
} from '@muster/domain';
import type { RatingModel, SkillState } from '../model.js';

/** What time without a match does to a rating, in a model's units. */
export interface InactivityPolicy {
  /** Days without a match before anything changes, at least 0. */
  readonly afterDays: number;
  /** Days after which a fully certain rating is as uncertain as a newcomer's; absent where the uncertainty stays. */
  readonly forgottenAfterDays?: number | undefined;
  /** Ratings at this mean or above fall toward it; absent where no mean falls. */
  readonly decay?:
    | {
        /** The lowest mean that decays, and where the decay ends, in the model's units. */
        readonly floor: number;
        /** Fall of the mean per day, in start uncertainties; above 0. */
        readonly perDay: number;
      }
    | undefined;
}

const day = 86_400_000;

/**
 * Resolves the rules of a pool against its model and divisions.
 *
 * @throws Unsolvable with the first part that does not fit
 */
export function inactivityOf(
  { afterDays, forgottenAfterDays, decay }: InactivityRules,
  divisions: readonly Division[],
  model: Pick<RatingModel, 'name' | 'widened'>,
): InactivityPolicy {
  if (forgottenAfterDays !== undefined && !model.widened)
    throw new Unsolvable(
      `The uncertainty of ${model.name} ratings cannot grow with time here: leave forgottenAfterDays out.`,
    );
  return {
    afterDays,
    forgottenAfterDays,
    decay: decay && { floor: floorOf(decay.division, divisions), perDay: decay.perDay },
  };
}

function floorOf(name: string, divisions: readonly Division[]): number {
  const bounded = divisions.flatMap((each) => (each.from === null ? [] : [each]));
  const found = bounded.find((each) => each.name === name);
  if (found?.from === undefined || found.from === null)
    throw new Unsolvable(
      `Ratings cannot decay from the division "${name}"; possible are ${bounded.map((each) => each.name).join(', ') || 'none: the pool has one division'}.`,
    );
  return found.from;
}

/**
 * A rating after time without a match. It depends on the stored rating and the time of its last match alone, and nothing
 * is stored in between: so a read, the next match and a rebuild find the same value for the same time, to the bit.
 *
 * The variance grows linearly with time, up to that of a newcomer: a rating that is more uncertain than that stays.
 *
 * @param stored, start the rating after its last match and that of a newcomer, in the model's units
 * @param lastRatedAt, at milliseconds since the epoch; a time before the last match, or no match, changes nothing
 * @see Glickman, The Glicko system, step 1: RD = min(√(RD₀² + c²t), 350)
 */
export function afterInactivity(
  stored: SkillBelief,
  start: SkillBelief,
  lastRatedAt: number | null,
  at: number,
  rules: InactivityPolicy,
): SkillBelief {
  if (lastRatedAt === null) return stored;
  const days = (at - lastRatedAt) / day - rules.afterDays;
  if (!(days > 0)) return stored;
  return {
    mu: decayed(stored.mu, start.sigma, days, rules),
    sigma: grown(stored.sigma, start.sigma, days, rules),
  };
}

function decayed(mu: number, startSigma: number, days: number, { decay }: InactivityPolicy): number {
  if (!decay || mu <= decay.floor) return mu;
  return Math.max(decay.floor, mu - decay.perDay * startSigma * days);
}

function grown(sigma: number, most: number, days: number, { forgottenAfterDays }: InactivityPolicy): number {
  if (forgottenAfterDays === undefined || sigma >= most) return sigma;
  // The square root of a square can be one bit below the number, and time must never lower an uncertainty.
  const wider = Math.hypot(sigma, most * Math.sqrt(days / forgottenAfterDays));
  return Math.min(most, Math.max(sigma, wider));
}

/**
 * A state after time without a match: as `afterInactivity`, with all else that the model keeps of the player.
 *
 * @param since the later of the last match and the last time at which the rating was set
 */
export function rested<S extends SkillState>(
  model: RatingModel<S>,
  state: S,
  start: SkillBelief,
  since: number | null,
  at: number,
  policy: InactivityPolicy,
): S {
  const before = model.belief(state);
  const { mu, sigma } = afterInactivity(before, start, since, at, policy);
  const widened = sigma === before.sigma ? state : (model.widened?.(state, sigma) ?? state);
  return model.moved(widened, mu);
}

/**
 * Whether a rating is stale: older than a number of days. A rating without matches is not. A rating with a future time,
 * from a wrong clock, is: its age is unknown.
 *
 * @param lastRatedAt, now milliseconds since the epoch
 */
export function isStale(lastRatedAt: number | null, now: number, days: number): boolean {
  if (lastRatedAt === null) return false;
  return now - lastRatedAt > days * day || lastRatedAt - now > mostClockSkewMs;
}
