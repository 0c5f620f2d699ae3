import type { SkillBelief } from '@muster/domain';
import { gaussianState } from '../gaussian.js';
import type { ModelKind, RatingModel } from '../model.js';
import { amount, numberOf, type ModelParameters, type ParameterSpecs } from '../parameters.js';
import { validRange } from '../valid-range.js';
import type { Pairing } from './pairs.js';
import { chancesOf } from './predict.js';
import { rateRanking } from './ranking.js';
import { ratePairs, rateTwo, type OpenSkillSettings } from './rate.js';
import { logisticUpdate, normalUpdate, type TwoTeamUpdate } from './two-teams.js';

interface Variant {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  /** The teams that are compared; null for Plackett–Luce, where the package rates the ranking as a whole. */
  readonly pairing: Pairing | null;
  /** With more teams than this the package's estimates diverge: every pair counts in full. */
  readonly mostTeams: number;
  /**
   * Default standard deviation of a performance. The package has 25/6 for all; with a third of a newcomer's uncertainty the
   * logistic models predicted every recorded history at hand better (docs/rating.md).
   */
  readonly beta: number;
  two(beta: number, margin: number): TwoTeamUpdate;
}

const variants: readonly Variant[] = [
  {
    name: 'openskill-plackett-luce',
    title: 'OpenSkill, Plackett–Luce',
    about: 'The default: any number of teams, draws, partial play; fast and well behaved in a free-for-all.',
    pairing: null,
    mostTeams: Infinity,
    beta: 25 / 9,
    two: (beta) => logisticUpdate(beta),
  },
  {
    name: 'openskill-bradley-terry-full',
    title: 'OpenSkill, Bradley–Terry, full pairing',
    about: 'Every pair of teams is a match of its own; exact for few teams, refused for many.',
    pairing: 'full',
    mostTeams: 8,
    beta: 25 / 9,
    two: (beta) => logisticUpdate(beta),
  },
  {
    name: 'openskill-bradley-terry-part',
    title: 'OpenSkill, Bradley–Terry, partial pairing',
    about: 'Only neighbours in the ranking are compared: for large free-for-alls where speed counts.',
    pairing: 'part',
    mostTeams: Infinity,
    beta: 25 / 9,
    two: (beta) => logisticUpdate(beta),
  },
  {
    name: 'openskill-thurstone-mosteller-full',
    title: 'OpenSkill, Thurstone–Mosteller, full pairing',
    about: 'Normal instead of logistic performances, with a draw margin; refused for many teams.',
    pairing: 'full',
    mostTeams: 8,
    beta: 25 / 6,
    two: (beta, margin) => normalUpdate(beta, margin, 1),
  },
  {
    name: 'openskill-thurstone-mosteller-part',
    title: 'OpenSkill, Thurstone–Mosteller, partial pairing',
    about:
      'Normal performances, neighbours only, with a doubled scale as the package has it; refused for many teams.',
    pairing: 'part',
    mostTeams: 8,
    beta: 25 / 6,
    two: (beta, margin) => normalUpdate(beta, margin, 2),
  },
];

const parametersOf = (beta: number): ParameterSpecs => ({
  mu: amount(25, -1e6, 1e6, 'mean of a stranger'),
  sigma: amount(25 / 3, 1e-6, 1e6, 'uncertainty of a stranger'),
  beta: amount(beta, 1e-6, 1e6, 'standard deviation of one performance'),
  tau: amount(25 / 300, 0, 1e6, 'standard deviation that a skill wanders by between two matches'),
  kappa: amount(1e-4, 1e-12, 1, 'least factor by which one match may shrink a variance'),
  sigmaFloor: amount(1e-6, 1e-9, 1e6, 'no uncertainty falls below this'),
  epsilon: amount(0.1, 0, 1e6, 'draw margin of Thurstone–Mosteller, in the unit of the mean'),
});

/** Weng and Lin's five models. @see https://jmlr.org/papers/v12/weng11a.html */
export const openskillKinds: readonly ModelKind<SkillBelief>[] = variants.map((variant) => ({
  name: variant.name,
  title: variant.title,
  about: variant.about,
  parameters: parametersOf(variant.beta),
  needs: [],
  zeroSum: false,
  open: (given) => openVariant(variant, given),
}));

function openVariant(variant: Variant, given: ModelParameters): RatingModel<SkillBelief> {
  const settings = settingsOf(variant, given);
  const { mu, sigma, beta } = settings;
  const { title, mostTeams, pairing } = variant;
  return {
    ...gaussianState,
    name: variant.name,
    initial: () => ({ mu, sigma }),
    range: validRange(mu, Math.max(sigma, beta)),
    contestFlaw: ({ teams }) =>
      teams.length <= mostTeams
        ? null
        : `${title} does not fit a match of ${teams.length} teams (its estimates blow up beyond ${mostTeams}); use openskill-plackett-luce or openskill-bradley-terry-part there.`,
    predict: (contest) => chancesOf(contest, beta),
    rate(contest, ranks) {
      if (contest.teams.length === 2) return rateTwo(settings, contest, ranks);
      return pairing === null
        ? rateRanking(settings, contest, ranks)
        : ratePairs(settings, contest, ranks, pairing);
    },
  };
}

function settingsOf(variant: Variant, given: ModelParameters): OpenSkillSettings {
  const beta = numberOf(given, 'beta');
  const tau = numberOf(given, 'tau');
  const epsilon = numberOf(given, 'epsilon');
  return {
    mu: numberOf(given, 'mu'),
    sigma: numberOf(given, 'sigma'),
    beta,
    tauSquared: tau * tau,
    kappa: numberOf(given, 'kappa'),
    sigmaFloor: numberOf(given, 'sigmaFloor'),
    epsilon,
    twoTeams: variant.two(beta, epsilon),
  };
}
