/** What friends multiply their weights by, in models that think in weights: by party size, 1, 2, 3, 4 and more. */
export function partyMultiplier(size: number): number {
  return size >= 4 ? 1.25 : size >= 3 ? 1.2 : size >= 2 ? 1.15 : 1;
}

/**
 * How many friends the mean member of a team has beside them: Σ size · (size − 1) over the parties, by the team's size. 0 for
 * solos, team size − 1 when all came together. A feature to learn the worth of friends by.
 *
 * @param parties sizes of the team's parties; solos may be left out
 * @param teamSize all players of the team
 */
export function partyFeature(parties: readonly number[], teamSize: number): number {
  const friends = parties.reduce((sum, size) => sum + size * Math.max(0, size - 1), 0);
  return teamSize > 0 ? friends / teamSize : 0;
}

/** What a pool believes friends are worth before it has learned better. */
export interface PartyWorth {
  /** Log-odds for each friend that the mean member has; 0.1 is two and a half points of win chance. */
  readonly perFriend?: number | undefined;
  /** No team gets more log-odds than this. */
  readonly most?: number | undefined;
}

/** The log-odds that a team gets for its parties, for models that think in chances. Parameters as for `partyFeature`. */
export function partyOdds(
  parties: readonly number[],
  teamSize: number,
  { perFriend = 0.1, most = 0.5 }: PartyWorth = {},
): number {
  return Math.min(most, perFriend * partyFeature(parties, teamSize));
}

/** Whether a learned coefficient is more than chance: further than two standard deviations from 0. */
export function measurable({ mean, sd }: { readonly mean: number; readonly sd: number }): boolean {
  return Math.abs(mean) > 2 * sd;
}

/**
 * What the multipliers of a team's parties come to in log-odds, for models that compare sums of weights: the logarithm of the
 * mean multiplier over its members.
 */
export function partyGain(parties: readonly number[], teamSize: number): number {
  if (teamSize <= 0) return 0;
  const gained = parties.reduce((sum, size) => sum + size * (partyMultiplier(size) - 1), 0);
  return Math.log1p(gained / teamSize);
}
