import type { SkillBelief } from '@muster/domain';
import { rate as packageRate } from 'openskill';
import { plackettLuce } from 'openskill/models';
import { totalOf } from '../gaussian-team.js';
import type { Contest, Ranks } from '../model.js';
import { handicapsOf, type OpenSkillSettings } from './rate.js';

/** In a ranking of several teams under Plackett–Luce, a player of less weight than this is not rated. */
const leastWeight = 1e-6;

/**
 * Rates a ranking of several teams as a whole: Plackett–Luce, by the package.
 *
 * The package ignores `weight`, so partial play is encoded in its input: a member of weight w goes in as (w·mu, w·sigma)
 * and comes out divided by w; below `leastWeight` too few digits would remain.
 */
export function rateRanking(
  settings: OpenSkillSettings,
  contest: Contest<SkillBelief>,
  ranks: Ranks,
): SkillBelief[][] {
  const { beta, kappa, epsilon, sigmaFloor } = settings;
  const { teams, weights } = contest;
  const entered = enteredTeams(settings, contest);
  const rated = packageRate(entered, {
    beta,
    tau: 0,
    kappa,
    epsilon,
    rank: [...ranks],
    model: plackettLuce,
  });
  return teams.map((team, t) =>
    team.map((player, p) => {
      const weight = weights?.[t]?.[p] ?? 1;
      const before = entered[t]?.[p];
      const after = rated[t]?.[p];
      if (weight < leastWeight || !before || !after) return player;
      return {
        mu: player.mu + (after.mu - before.mu) / weight,
        sigma: Math.max(sigmaFloor, after.sigma / weight),
      };
    }),
  );
}

/**
 * The teams in the package's form, weighted. Handicaps are spread over the members, and the best team is shifted to 0 so
 * that no exponential overflows.
 */
function enteredTeams(
  { beta, tauSquared }: OpenSkillSettings,
  contest: Contest<SkillBelief>,
): SkillBelief[][] {
  const { teams, weights } = contest;
  const handicaps = handicapsOf(contest, beta, tauSquared);
  const totals = teams.map((team, t) => totalOf(team, weights?.[t], tauSquared).mu + (handicaps[t] ?? 0));
  const top = Math.max(...totals);
  return teams.map((team, t) => {
    const shift = ((handicaps[t] ?? 0) - top) / team.length;
    return team.map((player, p) => {
      const weight = weights?.[t]?.[p] ?? 1;
      return {
        mu: weight * player.mu + shift,
        // No variance may vanish in the package's divisions.
        sigma: Math.max(weight, leastWeight) * Math.sqrt(player.sigma ** 2 + tauSquared),
      };
    });
  });
}
