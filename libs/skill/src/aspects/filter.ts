import { aspectOf, Unsolvable, aspects, type AspectRules, type AspectSkill } from '@muster/domain';
import { loadings, type AspectMatch, type AspectSkills } from './effect.js';

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
 * @see Fahrmeir (1992), Posterior mode estimation by extended Kalman filtering for multivariate dynamic generalized linear
 *   models
 */
export function afterResult(result: AspectResult, rules: AspectRules): AspectSkills[][] {
  const weights = loadings(result).map((team) => team.map((weight) => weight * result.factor));
  const spreads = result.names.map((team, t) =>
    team.reduce((sum, names, p) => sum + (weights[t]?.[p] ?? 0) ** 2 * doubt(result, rules, t, p, names), 0),
  );
  const lessons = lessonsOf(result, spreads);
  return result.names.map((team, t) =>
    team.map((names, p) => {
      const skills = result.skills[t]?.[p] ?? [];
      const weight = weights[t]?.[p] ?? 0;
      const lesson = lessons[t];
      if (!lesson || weight === 0 || names.length === 0) return skills;
      return learned(skills, names, rules, weight, lesson);
    }),
  );
}

/** The variance of a player's skills under some aspects together. */
function doubt(
  { skills }: AspectMatch,
  rules: AspectRules,
  t: number,
  p: number,
  names: readonly string[],
): number {
  const known = skills[t]?.[p] ?? [];
  return names.reduce((sum, name) => sum + skillOf(known, name, rules).variance, 0);
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
  const after = names.map((name): AspectSkill => {
    const { mean, variance, matches } = skillOf(skills, name, rules);
    const gain = variance * weight;
    return {
      name,
      mean: mean + gain * pull,
      variance: variance - gain * gain * curvature,
      matches: matches + 1,
    };
  });
  const others = skills.filter(({ name }) => !names.includes(name));
  return [...bounded(others, mostAspects - after.length), ...after];
}

/** The skills to keep: those with the most matches; of equals, those played last. */
function bounded(skills: AspectSkills, most: number): AspectSkills {
  if (skills.length <= most) return skills;
  const ranked = skills.toSorted((a, b) => a.matches - b.matches);
  const forgotten = new Set(ranked.slice(0, skills.length - most));
  return skills.filter((skill) => !forgotten.has(skill));
}

function skillOf(skills: AspectSkills, name: string, rules: AspectRules): AspectSkill {
  return (
    skills.find((skill) => skill.name === name) ?? {
      name,
      mean: 0,
      variance: strengthOf(name, rules) ** 2,
      matches: 0,
    }
  );
}

/** The strength of an aspect by its name; 0 where the rules do not rate it. */
function strengthOf(name: string, rules: AspectRules): number {
  switch (aspectOf(name)) {
    case 'side':
      return rules.side ?? 0;
    case 'map':
      return rules.map ?? 0;
    case 'venue':
      return rules.venue ?? 0;
    case 'role':
      return rules.role ?? 0;
    case undefined:
      return 0;
  }
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
