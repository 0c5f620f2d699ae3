import { aspectName, type AspectRules, type AspectSkill, type Situation } from '@muster/domain';
import type { PlayerFacts } from '../model.js';

/** A player's skills by aspect, the one played longest ago first. */
export type AspectSkills = readonly AspectSkill[];

/** A match, as far as the skills by aspect are concerned. */
export interface AspectMatch {
  /** What each player is rated under, as names of aspects, in the shape of the teams. */
  readonly names: readonly (readonly (readonly string[])[])[];
  /** What is known of each player's skill under these, in the same shape. */
  readonly skills: readonly (readonly AspectSkills[])[];
  /** Share of the match that each player took part in, 0 to 1; whole when absent. */
  readonly shares?: readonly (readonly number[])[] | undefined;
}

/** What one log-odd of each player's skill counts for the team, in the shape of the teams. */
export type Loadings = readonly (readonly number[])[];

const none: readonly never[] = [];

/** The aspects that each player of a match plays under, of those that the rules rate. */
export function aspectsPlayed(
  rules: AspectRules,
  teams: readonly (readonly unknown[])[],
  { sides, map, venue }: Situation,
  facts: readonly (readonly PlayerFacts[])[] | undefined,
): (readonly string[])[][] {
  return teams.map((team, t) => {
    const side = sides?.[t];
    const shared: string[] = [];
    if (rules.side && side !== undefined) shared.push(aspectName('side', side));
    if (rules.map && map !== undefined) shared.push(aspectName('map', map));
    if (rules.venue && venue !== undefined) shared.push(aspectName('venue', venue));
    const all = shared.length === 0 ? none : shared;
    return team.map((_player, p) => {
      const role = rules.role ? facts?.[t]?.[p]?.role : undefined;
      return role === undefined ? all : [...all, aspectName('role', role)];
    });
  });
}

/**
 * How much one log-odd of each player's skill moves the team's log-odds, in the shape of the teams: √n · w / Σw, where w is
 * the player's share of the match and n the mean size of the teams. So the larger team has no advantage, and n independent
 * skills of one standard deviation give the team's log-odds that deviation, whatever n is.
 */
export function loadings({ names, shares }: Pick<AspectMatch, 'names' | 'shares'>): number[][] {
  const sizes: number[] = [];
  let all = 0;
  for (let t = 0; t < names.length; t++) {
    const size = sizeOf(names[t] ?? none, shares?.[t]);
    sizes.push(size);
    all += size;
  }
  const root = Math.sqrt(all / Math.max(1, sizes.length));
  return names.map((team, t) => {
    const size = sizes[t] ?? 0;
    const given = shares?.[t];
    const weights: number[] = [];
    for (let p = 0; p < team.length; p++) weights.push(size > 0 ? (root * (given?.[p] ?? 1)) / size : 0);
    return weights;
  });
}

/** The sum of a team's shares of the match. */
function sizeOf({ length }: readonly unknown[], shares: readonly number[] | undefined): number {
  if (!shares) return length;
  let size = 0;
  for (let p = 0; p < length; p++) size += shares[p] ?? 1;
  return size;
}

/**
 * The log-odds that the skills by aspect add to each team, in team order.
 *
 * @param weights the match's {@link loadings}
 */
export function aspectOdds(match: AspectMatch, weights: Loadings = loadings(match)): number[] {
  return match.names.map((team, t) => {
    let odds = 0;
    for (let p = 0; p < team.length; p++) {
      const names = team[p] ?? none;
      const skills = match.skills[t]?.[p];
      if (names.length === 0 || !skills || skills.length === 0) continue;
      odds += (weights[t]?.[p] ?? 0) * sumOf(skills, names);
    }
    return odds;
  });
}

/** The sum of a player's skills under some aspects, in log-odds of a duel. Unknown ones are 0, the mean of the prior. */
export function sumOf(skills: AspectSkills, names: readonly string[]): number {
  let sum = 0;
  for (let i = 0; i < skills.length; i++) {
    const skill = skills[i];
    if (skill && names.includes(skill.name)) sum += skill.mean;
  }
  return sum;
}
