import { aspectOf, Unsolvable, aspects, type AspectRules, type AspectSkill } from '@muster/domain';
import { loadings, type AspectMatch, type AspectSkills, type Loadings } from './effect.js';

/** Most aspects of a player; beyond it the one with the fewest matches is forgotten. */
export const mostAspects = 32;

/** The largest strength: an aspect that decides nearly every match. */
export const mostStrength = 10;

/** @throws Unsolvable with the first error in rules about aspects */
export function checkAspects(rules: AspectRules): void {
  for (const [name, strength] of Object.entries(rules)) {
    if (!aspects.some((aspect) => aspect === name))
      throw new Unsolvable(`There is no aspect "${name}"; there are ${aspects.join(', ')}.`, {
        aspect: name,
      });
    if (!(strength > 0 && strength <= mostStrength))
      throw new Unsolvable(
        `The strength of the aspect "${name}" must be above 0 and at most ${mostStrength}, not ${strength}.`,
        { aspect: name },
      );
  }
}

/** A match that is over. */
export interface AspectResult extends AspectMatch {
  /** The chance of each team, as calibrated before the match, with the skills by aspect. */
  readonly chances: readonly number[];
  /** Rank by team, 1 is best. */
  readonly ranks: readonly number[];
  /** The pool's factor on the log-odds of aspects, see `Calibration`; 1 at first. */
  readonly factor: number;
}

/**
 * The skills by aspect after a match, in the shape of the teams: one step of a logistic filter. Each skill is a normal
 * distribution around 0, the common skill, so few matches move it little.
 *
 * The result is y (1, ½, 0) with chance p, whose log-odds are linear in the skills with coefficients x. With variances v and
 * the curvature h = p(1 − p), the step is m += v·x·(y − p) / (1 + h·Σx²v) and v −= (v·x)²·h / (1 + h·Σx²v): a Newton step of
 * the posterior from the prior's mean, with the correlations between players left out.
 *
 * With more than two teams all pairs count, and the pairs of n teams weigh as much as n − 1 matches. Tied pairs say nothing
 * there. Players without a share of the match are unchanged.
 *
 * @param shares the match's {@link loadings}
 * @see Fahrmeir (1992), Posterior mode estimation by extended Kalman filtering for multivariate dynamic generalized linear
 *   models
 */
export function afterResult(
  result: AspectResult,
  rules: AspectRules,
  shares: Loadings = loadings(result),
): AspectSkills[][] {
  const { names, skills, factor } = result;
  const weights = shares.map((team) => team.map((weight) => weight * factor));
  const lessons = lessonsOf(
    result,
    names.map((team, t) => spreadOf(team, skills[t], weights[t], rules)),
  );
  return names.map((team, t) => {
    const lesson = lessons[t];
    const after: AspectSkills[] = [];
    for (let p = 0; p < team.length; p++) {
      const known = skills[t]?.[p] ?? none;
      const played = team[p] ?? none;
      const weight = weights[t]?.[p] ?? 0;
      const isTaught = lesson !== undefined && weight !== 0 && played.length > 0;
      after.push(isTaught ? learned(known, played, rules, weight, lesson) : known);
    }
    return after;
  });
}

const none: readonly never[] = [];

/** The variance of a team's log-odds from its players' skills under what they play. */
function spreadOf(
  team: readonly (readonly string[])[],
  skills: readonly AspectSkills[] | undefined,
  weights: readonly number[] | undefined,
  rules: AspectRules,
): number {
  let spread = 0;
  for (let p = 0; p < team.length; p++) {
    const known = skills?.[p] ?? none;
    let variance = 0;
    for (const name of team[p] ?? none) variance += named(known, name)?.variance ?? priorOf(name, rules);
    spread += (weights?.[p] ?? 0) ** 2 * variance;
  }
  return spread;
}

/** What a match says about a team: per unit of coefficient and variance, the step of a mean and the fall of a variance. */
interface Lesson {
  readonly pull: number;
  readonly curvature: number;
}

/** @param spreads the variance of each team's log-odds from aspects */
function lessonsOf({ chances, ranks }: AspectResult, spreads: readonly number[]): Lesson[] {
  const count = chances.length;
  const isDraw = ranks.every((rank) => rank === ranks[0]);
  const total = spreads.reduce((sum, each) => sum + each, 0);
  return chances.map((chance, t) => {
    let surprise = 0;
    let curvature = 0;
    for (let u = 0; u < count; u++) {
      const order = (ranks[u] ?? 0) - (ranks[t] ?? 0);
      if (u === t || (order === 0 && !isDraw)) continue;
      const both = chance + (chances[u] ?? 0);
      const p = both > 0 ? chance / both : 0.5;
      surprise += (order === 0 ? 0.5 : Number(order > 0)) - p;
      curvature += p * (1 - p);
    }
    const spread = spreads[t] ?? 0;
    // The opponent's variance is that of the mean opponent; with two teams, of the only one.
    const against = (total - spread) / Math.max(1, count - 1);
    const weight = 2 / count;
    const rest = 1 + weight * curvature * (spread + against);
    return { pull: (weight * surprise) / rest, curvature: (weight * curvature) / rest };
  });
}

/** A player's skills after a lesson; those that were learned from are the last. */
function learned(
  skills: AspectSkills,
  names: readonly string[],
  rules: AspectRules,
  weight: number,
  { pull, curvature }: Lesson,
): AspectSkills {
  const others = skills.filter(({ name }) => !names.includes(name));
  const after = bounded(others, mostAspects - names.length);
  for (const name of names) {
    const before = named(skills, name);
    const variance = before?.variance ?? priorOf(name, rules);
    const gain = variance * weight;
    after.push({
      name,
      mean: (before?.mean ?? 0) + gain * pull,
      variance: variance - gain * gain * curvature,
      matches: (before?.matches ?? 0) + 1,
    });
  }
  return after;
}

/** The skills to keep: those with the most matches; of equals, those played last. */
function bounded(skills: AspectSkill[], most: number): AspectSkill[] {
  if (skills.length <= most) return skills;
  const ranked = skills.toSorted((a, b) => a.matches - b.matches);
  const forgotten = new Set(ranked.slice(0, skills.length - most));
  return skills.filter((skill) => !forgotten.has(skill));
}

/** A player's skill under an aspect; undefined where nothing is known of it. */
function named(skills: AspectSkills, name: string): AspectSkill | undefined {
  return skills.find((skill) => skill.name === name);
}

/** The variance of a skill of which nothing is known. */
function priorOf(name: string, rules: AspectRules): number {
  return strengthOf(name, rules) ** 2;
}

/** The strength of an aspect by its name; 0 where the rules do not rate it. */
function strengthOf(name: string, rules: AspectRules): number {
  const aspect = aspectOf(name);
  return (aspect && rules[aspect]) ?? 0;
}

/** The skills whose aspects the rules rate; the others are of former rules. */
export function ratedAspects(skills: AspectSkills, rules: AspectRules): AspectSkills {
  // Nearly always all: this is asked for each player of each match.
  for (const { name } of skills)
    if (strengthOf(name, rules) === 0) return skills.filter((skill) => strengthOf(skill.name, rules) > 0);
  return skills;
}

/**
 * The skills at the start of a season, as the common skill: each keeps a share of its distance from 0, and is at least as
 * uncertain as a share of a newcomer's.
 */
export function aspectsAtSeasonStart(
  skills: AspectSkills,
  rules: AspectRules,
  { keep, uncertainty }: { readonly keep: number; readonly uncertainty: number },
): AspectSkills {
  return skills.map((skill) => ({
    ...skill,
    mean: keep * skill.mean,
    variance: Math.max(skill.variance, (uncertainty * strengthOf(skill.name, rules)) ** 2),
  }));
}
