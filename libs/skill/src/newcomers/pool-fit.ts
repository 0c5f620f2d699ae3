import { own, type SeedingRules, type SkillBelief } from '@muster/domain';
import { withCommonStats } from './common-stats.js';
import { outcomeShares, withoutOutcome, type OutcomeShares, type StatsOfMatch } from './outcome-share.js';
import { fitFlaw, fitRegression, estimateBy, type SkillRegression } from './regression.js';

/** A player's stats in a match of a pool, and the rating to which they are fitted. */
export interface PoolStatsRow extends StatsOfMatch {
  readonly player: string;
  readonly match: string;
  readonly rating: SkillBelief;
}

/** A regression from stats to skill, with what its use needs beside it; JSON. */
export interface PoolFit {
  readonly model: SkillRegression;
  readonly outcomes: OutcomeShares;
  /** Mean and standard deviation of the skills of the pool's players. */
  readonly skills: SkillBelief;
  /** Share of the variance of their skills that their ratings have. */
  readonly reliability: number;
  /** Rows that lacked a stat which nine in ten rows have. */
  readonly incomplete: number;
  /** Why it is too poor to be used; null if it is not. */
  readonly flaw: string | null;
}

/** A fit with an uncertainty below this share of the skills' spread is not believed. */
const mostExplained = 0.95;
/** Together, values of categories have at most this many columns. */
const mostValues = 200;

/**
 * Fits the skill of a pool's players to their stats, by its own history: what comes with the outcome is taken out of the stats, and a
 * ridge regression is fitted from them to the players' ratings.
 *
 * A rating is the skill that results have shown so far, and less spread than skill itself: of the variance of skill it has
 * the share ρ = Var(ratings) / (Var(ratings) + mean uncertainty²), if the uncertainties are right. A line to ratings is by ρ
 * too flat for skill, and of the variance of skill the stats explain R² / ρ.
 *
 * @throws Unsolvable when the history is too small or invalid
 * @see Spearman (1904), The proof and measurement of association between two things, for the correction by reliability
 */
export function fitPool(rows: readonly PoolStatsRow[], demands: SeedingRules): PoolFit {
  const { leastR2, minMatches, window } = demands;
  const complete = withCommonStats(rows, minMatches);
  const outcomes = outcomeShares(complete);
  const categories = Object.keys(complete[0]?.categories ?? {}).length;
  const model = fitRegression(
    complete.map((row) => ({
      player: row.player,
      match: row.match,
      target: row.rating.mu,
      ...withoutOutcome(row, outcomes),
    })),
    {
      leastR2: -Infinity,
      minMatches,
      window,
      rare: Math.max(20, Math.ceil((complete.length * categories) / mostValues)),
    },
  );
  const ratings = [...new Map(complete.map(({ player, rating }) => [player, rating])).values()];
  const mean = ratings.reduce((sum, { mu }) => sum + mu / ratings.length, 0);
  const ofRatings = ratings.reduce((sum, { mu }) => sum + (mu - mean) ** 2 / ratings.length, 0);
  const doubt = ratings.reduce((sum, { sigma }) => sum + sigma ** 2 / ratings.length, 0);
  return {
    model,
    outcomes,
    skills: { mu: mean, sigma: Math.sqrt(ofRatings + doubt) },
    reliability: ofRatings / (ofRatings + doubt),
    incomplete: rows.length - complete.length,
    flaw: fitFlaw(model.fit.heldOutR2, leastR2),
  };
}

/** Share of the variance of skill that the stats of a whole window explain, for players left out of the fit. */
export function explainedBy({ model, reliability }: PoolFit): number {
  return Math.min(mostExplained, model.fit.heldOutR2 / reliability);
}

/**
 * What the stats of a newcomer's matches say of their skill, as a measurement: a value, and the standard deviation of its
 * error. The mean of the pool's players is not part of it. It may be combined with a belief from results, which has that
 * mean in it already.
 *
 * @param rows of one player
 * @returns null when no match has all stats of the fit
 */
export function measuredBy(fit: PoolFit, rows: readonly StatsOfMatch[]): SkillBelief | null {
  const { model, outcomes, skills, reliability } = fit;
  const complete = rows.filter((row) => isComplete(model, row));
  const explained = explainedBy(fit);
  if (complete.length === 0 || !(explained > 0)) return null;
  const { mu } = estimateBy(
    model,
    complete.map((row) => withoutOutcome(row, outcomes)),
  );
  // A posterior is the prior and the measurement, weighted by precision; here it is solved for the measurement.
  const scale = 1 / (reliability * explained);
  const missing = Math.max(0, 1 / complete.length - 1 / model.window);
  const sigma = Math.hypot(
    skills.sigma * Math.sqrt((1 - explained) / explained),
    model.wobble * scale * Math.sqrt(missing),
  );
  return { mu: skills.mu + (mu - skills.mu) * scale, sigma };
}

/** A belief after an independent measurement, weighted by precision. */
export function beliefAfter(belief: SkillBelief, measured: SkillBelief): SkillBelief {
  const weight = belief.sigma ** 2 / (belief.sigma ** 2 + measured.sigma ** 2);
  return {
    mu: belief.mu + weight * (measured.mu - belief.mu),
    sigma: belief.sigma * Math.sqrt(1 - weight),
  };
}

function isComplete({ columns }: SkillRegression, { numbers, categories = {} }: StatsOfMatch): boolean {
  return columns.every(({ feature: { kind, name } }) =>
    kind === 'number' ? own(numbers, name) !== undefined : own(categories, name) !== undefined,
  );
}

/** Reads a fit from JSON. @throws TypeError when it is not one */
export function readPoolFit(json: unknown): PoolFit {
  if (typeof json === 'object' && json !== null) {
    const { model, outcomes, skills, reliability } = json as PoolFit;
    const isWhole =
      typeof outcomes === 'object' &&
      Array.isArray(model?.columns) &&
      Array.isArray(model.weights) &&
      model.weights.every(Number.isFinite) &&
      Number.isFinite(model.fit?.heldOutR2) &&
      skills?.sigma > 0 &&
      reliability > 0;
    if (isWhole) return json as PoolFit;
  }
  throw new TypeError('not a fit of skill to stats');
}
