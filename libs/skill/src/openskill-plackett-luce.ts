import type { SkillBelief } from '@muster/domain';
import { predictWin, rate } from 'openskill';
import { checkBeliefs, checkRanks, checkTeams } from './check.js';
import type { ModelParameters, RatingModel } from './model.js';

const defaults = { mu: 25, sigma: 25 / 3, beta: 25 / 6, tau: 25 / 300, kappa: 0.0001 };

function option(parameters: ModelParameters, name: keyof typeof defaults): number {
  return parameters[name] ?? defaults[name];
}

function options(parameters: ModelParameters): {
  mu: number;
  sigma: number;
  beta: number;
  tau: number;
  epsilon: number;
} {
  return {
    mu: option(parameters, 'mu'),
    sigma: option(parameters, 'sigma'),
    beta: option(parameters, 'beta'),
    tau: option(parameters, 'tau'),
    epsilon: option(parameters, 'kappa'),
  };
}

const mutable = (teams: readonly (readonly SkillBelief[])[]): SkillBelief[][] =>
  teams.map((team) => team.map(({ mu, sigma }) => ({ mu, sigma })));

/**
 * Weng and Lin's Bayesian approximation with the Plackett–Luce model, by the `openskill` package.
 * The package takes a rank list of the wrong length for a draw and answers NaN for some scales, so input and output are checked.
 *
 * @see https://jmlr.org/papers/v12/weng11a.html algorithm 4
 */
export const openskillPlackettLuce: RatingModel = {
  name: 'openskill-plackett-luce',
  defaults,
  initial: (parameters) => ({ mu: option(parameters, 'mu'), sigma: option(parameters, 'sigma') }),

  predict(teams, parameters) {
    checkTeams(teams);
    if (teams.length === 2) {
      const chances = predictWin(mutable(teams), options(parameters));
      const first = Math.min(1, Math.max(0, chances[0] ?? 0.5));
      return [first, 1 - first];
    }
    // The package's own figure for n teams never exceeds 2/n; the model itself says exp(mu/c) over their sum.
    const beta = option(parameters, 'beta');
    const strength = teams.map((team) => team.reduce((sum, p) => sum + p.mu, 0));
    const c = Math.sqrt(teams.flat().reduce((sum, p) => sum + p.sigma ** 2, 0) + teams.length * beta ** 2);
    const top = Math.max(...strength);
    const weights = strength.map((s) => Math.exp((s - top) / c));
    const total = weights.reduce((sum, w) => sum + w, 0);
    return weights.map((w) => w / total);
  },

  rate(teams, ranks, parameters) {
    checkTeams(teams);
    checkRanks(teams, ranks);
    const rated = rate(mutable(teams), { ...options(parameters), rank: [...ranks] }).map((team) =>
      team.map(({ mu, sigma }) => ({ mu, sigma })),
    );
    checkBeliefs(rated);
    return rated;
  },

  display: ({ mu, sigma }) => mu - 3 * sigma,
};
