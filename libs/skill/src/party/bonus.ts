/** The multipliers of friends' weights, in models with weights: by party size, 1, 2, 3, 4 and more. */
export function partyMultiplier(size: number): number {
  return size >= 4 ? 1.25 : size >= 3 ? 1.2 : size >= 2 ? 1.15 : 1;
}

/**
 * The mean number of a member's friends on the team: Σ size · (size − 1) over the parties, by the team's size. 0 for solos,
 * team size − 1 when all came together. A feature from which the value of friends is learned.
 *
 * @param parties sizes of the team's parties; solos may be left out
 * @param teamSize all players of the team
 */
export function partyFeature(parties: readonly number[], teamSize: number): number {
  const friends = parties.reduce((sum, size) => sum + size * Math.max(0, size - 1), 0);
  return teamSize > 0 ? friends / teamSize : 0;
}

/** Log-odds for each of the mean number of friends, before a pool has learned them: two and a half points of win chance. */
const perFriend = 0.1;
/** Upper limit of a team's log-odds. */
const most = 0.5;

/** The log-odds of a team for its parties, for models with chances. Parameters as for `partyFeature`. */
export function partyOdds(parties: readonly number[], teamSize: number): number {
  return Math.min(most, perFriend * partyFeature(parties, teamSize));
}

/** Whether a learned coefficient is significant: further than two standard deviations from 0. */
export function measurable({ mean, sd }: { readonly mean: number; readonly sd: number }): boolean {
  return Math.abs(mean) > 2 * sd;
}

/**
 * The multipliers of a team's parties in log-odds, for models that compare sums of weights: the logarithm of the mean
 * multiplier over its members.
 */
export function partyGain(parties: readonly number[], teamSize: number): number {
  if (teamSize <= 0) return 0;
  const gained = parties.reduce((sum, size) => sum + size * (partyMultiplier(size) - 1), 0);
  return Math.log1p(gained / teamSize);
}
