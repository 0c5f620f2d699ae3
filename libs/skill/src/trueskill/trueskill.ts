import type { SkillBelief } from '@muster/domain';
import { shiftTeam, totalOf, type TeamShift, type TeamTotal } from '../gaussian-team.js';
import { gaussianState } from '../gaussian.js';
import { logisticToNormal } from '../maths/logistic.js';
import { normalBelow } from '../maths/normal.js';
import type { Contest, ModelKind, Ranks, RatingModel } from '../model.js';
import { amount, type ValuesOf } from '../parameters.js';
import { validRange } from '../valid-range.js';
import { compared, settleChain } from './chain.js';
import { chanceAhead, chancesToBeFirst } from './first-place.js';

/** A team with less participation than this share of the others' counts as absent. */
const leastShare = 1e-6;

const parameters = {
  mu: amount(25, -1e6, 1e6, 'mean of a stranger'),
  sigma: amount(25 / 3, 1e-6, 1e6, 'uncertainty of a stranger'),
  beta: amount(25 / 6, 1e-6, 1e6, 'standard deviation of one player’s performance'),
  tau: amount(25 / 300, 0, 1e6, 'standard deviation that a skill wanders by between two matches'),
  drawProbability: amount(0.1, 0, 0.99, 'share of matches between equals that end in a draw'),
  sigmaFloor: amount(1e-6, 1e-9, 1e6, 'no uncertainty falls below this'),
};

/**
 * TrueSkill: a performance is drawn around the skill, a team is the weighted sum of its members' performances, and the
 * ranking tells which team led another by more than a draw margin.
 *
 * @see Herbrich, Minka and Graepel (2006), TrueSkill: A Bayesian Skill Rating System
 */
export const trueskillKind: ModelKind<SkillBelief, typeof parameters> = {
  name: 'trueskill',
  title: 'TrueSkill',
  about:
    'Bayesian, with a draw margin: teams, partial play and any number of teams, exact for two. Sums of members, so teams of different size need weights.',
  parameters,
  needs: [],
  zeroSum: false,
  open,
};

type Given = ValuesOf<typeof parameters>;
/** The parameters as rating uses them. */
type TrueSkillSettings = ReturnType<typeof settingsOf>;

function open(given: Given): RatingModel<SkillBelief> {
  const settings = settingsOf(given);
  const { mu, sigma, beta, betaSquared } = settings;
  return {
    ...gaussianState,
    name: 'trueskill',
    initial: () => ({ mu, sigma }),
    range: validRange(mu, Math.max(sigma, beta)),
    contestFlaw: () => null,
    predict(contest) {
      const performances = performancesOf(contest, betaSquared, 1);
      if (performances.length !== 2) return chancesToBeFirst(performances);
      const [a, b] = performances as [TeamTotal, TeamTotal];
      const first = chanceAhead(a.mu - b.mu, Math.sqrt(a.variance + b.variance));
      return [first, 1 - first];
    },
    rate(contest, ranks) {
      const share = shareOf(contest.weights);
      if (share === 0 || presentIn(contest, share).length < 2) return unchanged(contest.teams);
      return contest.teams.length === 2
        ? rateTwo(settings, contest, ranks, share)
        : rateMany(settings, contest, ranks, share);
    },
  };
}

function settingsOf({ beta, tau, drawProbability, ...given }: Given) {
  return {
    ...given,
    beta,
    betaSquared: beta * beta,
    tauSquared: tau ** 2,
    /** The draw margin per player; it grows with the root of their number. */
    marginOfOne: beta * halfWidthHolding(drawProbability),
  };
}

function marginBetween(
  marginOfOne: number,
  one: readonly unknown[] = [],
  other: readonly unknown[] = [],
): number {
  return marginOfOne * Math.sqrt(one.length + other.length);
}

/** Rates a match of two teams in closed form. @param share see `shareOf` */
function rateTwo(
  { betaSquared, tauSquared, sigmaFloor, marginOfOne }: TrueSkillSettings,
  { teams, weights, odds }: Contest<SkillBelief>,
  [rank = 1, otherRank = 1]: Ranks,
  share: number,
): SkillBelief[][] {
  const [first = [], second = []] = teams;
  const a = totalOf(first, weights?.[0], betaSquared + tauSquared);
  const b = totalOf(second, weights?.[1], betaSquared + tauSquared);
  const c = Math.sqrt(a.variance + b.variance) / share;
  if (c === 0) return unchanged(teams);
  const favour = odds ? ((odds[0] ?? 0) - (odds[1] ?? 0)) * logisticToNormal * c : 0;
  const gap = (a.mu - b.mu) / share + favour;
  const sign = rank > otherRank ? -1 : 1;
  const margin = marginBetween(marginOfOne, first, second);
  const [v, w] = compared(sign * gap, c, rank === otherRank, margin);
  const mean = (sign * v) / c;
  const spread = w / (c * c * share);
  return [
    shiftTeam(first, weights?.[0], tauSquared, { mean, spread }, 0, sigmaFloor),
    shiftTeam(second, weights?.[1], tauSquared, { mean: -mean, spread }, 0, sigmaFloor),
  ];
}

/** Rates a ranking as a chain of neighbours, by message passing. @param share see `shareOf` */
function rateMany(
  { betaSquared, tauSquared, sigmaFloor, marginOfOne }: TrueSkillSettings,
  contest: Contest<SkillBelief>,
  ranks: Ranks,
  share: number,
): SkillBelief[][] {
  const { teams, weights } = contest;
  const performances = performancesOf(contest, betaSquared + tauSquared, share);
  const order = presentIn(contest, share).sort((s, t) => (ranks[s] ?? 0) - (ranks[t] ?? 0));
  const shifts = settleChain(
    order.map((t) => performances[t] as TeamTotal),
    order.slice(1).map((t, k) => {
      const above = order[k] ?? 0;
      const margin = marginBetween(marginOfOne, teams[above], teams[t]);
      return { drawn: ranks[above] === ranks[t], margin };
    }),
  );
  const rated = unchanged(teams);
  order.forEach((t, k) => {
    const { mean, spread } = shifts[k] as TeamShift;
    const shift = { mean, spread: spread / share };
    rated[t] = shiftTeam(teams[t] ?? [], weights?.[t], tauSquared, shift, 0, sigmaFloor);
  });
  return rated;
}

/**
 * The size of a match: the largest weight in it, at most 1. The members' weights are divided by it, and the update is
 * scaled by it. Otherwise a match with a tenth of everybody's presence would have the effect of a whole one, and more,
 * since the draw margin does not shrink with the weights.
 */
function shareOf(weights: Contest['weights']): number {
  if (!weights) return 1;
  let most = 0;
  for (const row of weights) for (const weight of row) most = Math.max(most, weight);
  return Math.min(1, most);
}

/** The present teams, by number: a team that met nobody is not rated. */
function presentIn({ teams, weights }: Contest, share: number): number[] {
  const all = teams.map((_, t) => t);
  return weights ? all.filter((t) => (weights[t] ?? []).some((weight) => weight > leastShare * share)) : all;
}

function unchanged(teams: Contest<SkillBelief>['teams']): SkillBelief[][] {
  return teams.map((team) => [...team]);
}

/**
 * Teams as single performances, with odds added to their means.
 *
 * @param noise variance that each member's performance has beside the uncertainty of the skill
 * @param share the divisor of the weights
 */
function performancesOf(
  { teams, weights, odds }: Contest<SkillBelief>,
  noise: number,
  share: number,
): TeamTotal[] {
  const totals = teams.map((team, t) => {
    const { mu, variance } = totalOf(team, weights?.[t], noise);
    return { mu: mu / share, variance: variance / (share * share) };
  });
  if (!odds) return totals;
  // Of two teams this is the standard deviation of their difference; of more, that of two average ones.
  const c = Math.sqrt((2 * totals.reduce((sum, { variance }) => sum + variance, 0)) / totals.length);
  return totals.map(({ mu, variance }, t) => ({
    mu: mu + (odds[t] ?? 0) * logisticToNormal * c,
    variance,
  }));
}

/**
 * Half the width of the interval around 0 that holds this share of a standard normal distribution.
 *
 * @param share from 0 to 0.99
 */
function halfWidthHolding(share: number): number {
  let low = 0;
  let high = 3;
  for (let halving = 0; halving < 60; halving++) {
    const middle = (low + high) / 2;
    if (2 * normalBelow(middle) - 1 < share) low = middle;
    else high = middle;
  }
  return share === 0 ? 0 : (low + high) / 2;
}
