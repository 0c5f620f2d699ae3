import type { SkillBelief } from '@muster/domain';
import { gaussianState } from '../gaussian.js';
import { marginParameter } from '../margin.js';
import type { ModelKind, RatingModel } from '../model.js';
import { amount, choice, type ModelParameters, type ParameterSpecs, type ValuesOf } from '../parameters.js';
import { validRange } from '../valid-range.js';
import type { Pairing } from './pairs.js';
import type { Noise } from './performance.js';
import { chancesOf } from './predict.js';
import { rateMany, rateTwo, type OpenSkillSettings } from './rate.js';
import { logisticUpdate, normalUpdate, type TwoTeamUpdate } from './two-teams.js';

interface Variant {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly weight: Pairing['weight'];
  /** With more teams than this the estimates diverge: every pair counts in full. */
  readonly mostTeams: number;
  /**
   * Default standard deviation of a performance. The package has 25/6 for all; with a quarter of a newcomer's uncertainty
   * the logistic models predicted every recorded history at hand better (docs/rating.md).
   */
  readonly beta: number;
  readonly noise: Noise;
  /** Parameters that this variant alone has. */
  readonly own: ParameterSpecs;
  two(epsilon: number): TwoTeamUpdate;
}

const reachOf = (byDefault: number) =>
  amount(byDefault, 1, 1000, 'neighbours in the ranking, on either side, that a team is compared with');

/** A narrow win is part of one; the normal models know only whole ones. */
const margin = marginParameter;

const ranking = choice(
  ['pairs', 'places'],
  'how a ranking of more than two teams is rated: by all its pairs, or place by place as the package does',
);

const variants: readonly Variant[] = [
  {
    name: 'openskill-plackett-luce',
    title: 'OpenSkill, Plackett–Luce',
    about: 'The default: any number of teams, draws, partial play; fast and well behaved in a free-for-all.',
    weight: 'shared',
    mostTeams: Infinity,
    beta: 25 / 12,
    noise: 'team',
    own: { margin, ranking },
    two: () => logisticUpdate,
  },
  {
    name: 'openskill-bradley-terry-full',
    title: 'OpenSkill, Bradley–Terry, full pairing',
    about: 'Every pair of teams is a match of its own; exact for few teams, refused for many.',
    weight: 'whole',
    mostTeams: 8,
    beta: 25 / 12,
    noise: 'team',
    own: { margin },
    two: () => logisticUpdate,
  },
  {
    name: 'openskill-bradley-terry-part',
    title: 'OpenSkill, Bradley–Terry, partial pairing',
    about: 'Only neighbours in the ranking are compared: for large free-for-alls where speed counts.',
    weight: 'shared',
    mostTeams: Infinity,
    beta: 25 / 12,
    noise: 'team',
    // Immediate neighbours alone are nearly equal, and say little.
    own: { margin, reach: reachOf(4) },
    two: () => logisticUpdate,
  },
  {
    name: 'openskill-thurstone-mosteller-full',
    title: 'OpenSkill, Thurstone–Mosteller, full pairing',
    about: 'Normal instead of logistic performances, with a draw margin; refused for many teams.',
    weight: 'whole',
    mostTeams: 8,
    beta: 25 / 6,
    // With the noise of one player a large team would be certain of its strength, and upsets would move it far too much.
    noise: 'player',
    own: {},
    two: (epsilon) => normalUpdate(epsilon, 1),
  },
  {
    name: 'openskill-thurstone-mosteller-part',
    title: 'OpenSkill, Thurstone–Mosteller, partial pairing',
    about:
      'Normal performances, neighbours only, with a doubled scale as the package has it; refused for many teams.',
    weight: 'whole',
    mostTeams: 8,
    beta: 25 / 6,
    noise: 'team',
    own: { reach: reachOf(1) },
    two: (epsilon) => normalUpdate(epsilon, 2),
  },
];

const parametersOf = ({ beta, noise }: Variant) => ({
  mu: amount(25, -1e6, 1e6, 'mean of a stranger'),
  sigma: amount(25 / 3, 1e-6, 1e6, 'uncertainty of a stranger'),
  beta: amount(beta, 1e-6, 1e6, 'standard deviation of one performance'),
  noise: choice<Noise>(
    noise === 'team' ? ['team', 'player'] : ['player', 'team'],
    'whose performance that is: one for the team as a whole, or one for each player',
  ),
  tau: amount(25 / 300, 0, 1e6, 'standard deviation that a skill wanders by between two matches'),
  kappa: amount(1e-4, 1e-12, 1, 'least factor by which one match may shrink a variance'),
  sigmaFloor: amount(1e-6, 1e-9, 1e6, 'no uncertainty falls below this'),
  epsilon: amount(0.1, 0, 1e6, 'draw margin of Thurstone–Mosteller, in the unit of the mean'),
});

type Given = ValuesOf<ReturnType<typeof parametersOf>> & ModelParameters;

/** Weng and Lin's five models. @see https://jmlr.org/papers/v12/weng11a.html */
export const openskillKinds: readonly ModelKind<SkillBelief>[] = variants.map((variant) => ({
  name: variant.name,
  title: variant.title,
  about: variant.about,
  parameters: { ...parametersOf(variant), ...variant.own },
  needs: [],
  zeroSum: false,
  open: (given: Given) => openVariant(variant, given),
}));

function openVariant(variant: Variant, given: Given): RatingModel<SkillBelief> {
  const settings = settingsOf(variant, given);
  const { mu, sigma, beta, pairing } = settings;
  const { title, mostTeams } = variant;
  return {
    ...gaussianState,
    name: variant.name,
    initial: () => ({ mu, sigma }),
    range: validRange(mu, Math.max(sigma, beta)),
    contestFlaw: ({ teams }) =>
      teams.length <= mostTeams
        ? null
        : `${title} does not fit a match of ${teams.length} teams (its estimates blow up beyond ${mostTeams}); use openskill-plackett-luce or openskill-bradley-terry-part there.`,
    predict: (contest) => chancesOf(contest, settings, pairing === null ? 'sum' : 'pair'),
    rate: (contest, ranks) =>
      contest.teams.length === 2 ? rateTwo(settings, contest, ranks) : rateMany(settings, contest, ranks),
  };
}

function settingsOf(variant: Variant, given: Given): OpenSkillSettings {
  const { tau, epsilon } = given;
  return {
    ...given,
    tauSquared: tau * tau,
    twoTeams: variant.two(epsilon),
    margin: Number(given['margin'] ?? 0),
    pairing:
      given['ranking'] === 'places'
        ? null
        : { weight: variant.weight, reach: Number(given['reach'] ?? Infinity) },
  };
}
