import type { Random, SkillBelief } from '@muster/domain';
import type { RatingModel, Meeting } from '@muster/skill';

/** How a simulated newcomer plays. */
export interface PlacementWorld {
  /** Players per side: 1 is a duel, 5 puts the newcomer among nine players of known skill. */
  readonly teamSize: number;
  /** True standard deviation of a performance, where the methods assume 25/6: shows the cost of a wrong assumption. */
  readonly performance?: number | undefined;
}

export const newcomer = 'newcomer';
export const start: SkillBelief = { mu: 25, sigma: 25 / 3 };
export const beta = 25 / 6;
/** The others: their distance from the requested level, and the pool's uncertainty about them. */
const found = 25 / 12;
export const known = 1.5;

/** A match of a newcomer. */
export interface Played {
  readonly mates: readonly SkillBelief[];
  readonly opponents: readonly SkillBelief[];
  readonly won: boolean;
}

/**
 * A match among others whose ratings are near a level and whose true skills are near their ratings. Every performance is
 * normal about the true skill, and the side with the larger sum wins.
 */
export function playAt(
  level: number,
  { teamSize, performance = beta }: PlacementWorld,
  truth: number,
  random: Random,
): Played {
  let lead = normal(random, truth, performance);
  const meet = (side: 1 | -1): SkillBelief => {
    const mu = normal(random, level, found);
    lead += side * normal(random, normal(random, mu, known), performance);
    return { mu, sigma: known };
  };
  const mates = Array.from({ length: teamSize - 1 }, () => meet(1));
  const opponents = Array.from({ length: teamSize }, () => meet(-1));
  return { mates, opponents, won: lead > 0 };
}

/** The match in the form that a search counts. Nobody is met twice. */
export function meetingOf({ mates, opponents, won }: Played, number: number): Meeting {
  const called = (side: string, team: readonly SkillBelief[]): Meeting['teams'][number] =>
    team.map((belief, k) => ({ playerId: `${side}${number}-${k}`, ...belief }));
  return {
    matchId: `m${number}`,
    teams: [[{ playerId: newcomer, ...start }, ...called('mate', mates)], called('opponent', opponents)],
    ranks: won ? [1, 2] : [2, 1],
  };
}

/** A newcomer's rating after a match, by a model. */
export function ratedAfter(
  model: RatingModel,
  belief: SkillBelief,
  { mates, opponents, won }: Played,
): SkillBelief {
  const teams = [[model.seed(belief), ...mates.map(model.seed)], opponents.map(model.seed)];
  const [own = []] = model.rate({ teams }, won ? [1, 2] : [2, 1]);
  const [after] = own;
  return after ? model.belief(after) : belief;
}

/** How far the newcomer is above the level at which the match would be even, by the ratings of the others. */
export function gapIn({ mates, opponents }: Played, truth: number): number {
  const sumOf = (players: readonly SkillBelief[]): number => players.reduce((sum, { mu }) => sum + mu, 0);
  return truth + sumOf(mates) - sumOf(opponents);
}

/** A normal draw. @see Box and Muller (1958), A note on the generation of random normal deviates */
export function normal(random: Random, mean: number, deviation: number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random()));
  return mean + deviation * radius * Math.cos(2 * Math.PI * random());
}
