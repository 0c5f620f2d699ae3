import type { SkillBelief } from '@muster/domain';
import { rate as packageRate } from 'openskill';
import { plackettLuce } from 'openskill/models';
import { shiftTeam, totalOf, type TeamShift } from '../gaussian-team.js';
import { gaussianState } from '../gaussian.js';
import { logisticToNormal, sigmoid } from '../maths/logistic.js';
import type { Contest, ModelKind, Ranks, RatingModel } from '../model.js';
import { amount, numberOf, type ModelParameters, type ParameterSpecs } from '../parameters.js';
import { pairShifts, type Pairing } from './pairs.js';
import { reachAround } from '../reach.js';
import { logisticUpdate, normalUpdate, type TwoTeamUpdate } from './two-teams.js';

interface Variant {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  /** Which of several teams are compared; null for Plackett–Luce, which takes the ranking as a whole, in the package. */
  readonly pairing: Pairing | null;
  /** More teams than this and its estimates blow up: every pair counts in full. */
  readonly mostTeams: number;
  /**
   * Standard deviation of a performance where a pool says nothing. The package has 25/6 for all; with a third of a stranger's
   * uncertainty the logistic ones predicted every recorded history at hand better (docs/rating.md).
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

/** Who has less than this in a ranking of several teams under Plackett–Luce is left as they were. */
const leastWeight = 1e-6;

const parametersOf = (beta: number): ParameterSpecs => ({
  mu: amount(25, -1e6, 1e6, 'mean of a stranger'),
  sigma: amount(25 / 3, 1e-6, 1e6, 'uncertainty of a stranger'),
  beta: amount(beta, 1e-6, 1e6, 'standard deviation of one performance'),
  tau: amount(25 / 300, 0, 1e6, 'standard deviation that a skill wanders by between two matches'),
  kappa: amount(1e-4, 1e-12, 1, 'least factor by which one match may shrink a variance'),
  sigmaFloor: amount(1e-6, 1e-9, 1e6, 'no uncertainty falls below this'),
  epsilon: amount(0.1, 0, 1e6, 'draw margin of Thurstone–Mosteller, in the unit of the mean'),
});

/** Weng and Lin's five. @see https://jmlr.org/papers/v12/weng11a.html */
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
  const [mu, sigma, beta, tau, kappa] = ['mu', 'sigma', 'beta', 'tau', 'kappa'].map((name) =>
    numberOf(given, name),
  ) as [number, number, number, number, number];
  const epsilon = numberOf(given, 'epsilon');
  const sigmaFloor = numberOf(given, 'sigmaFloor');
  const tauSquared = tau * tau;
  const twoTeams = variant.two(beta, epsilon);

  /** What odds are worth in the unit of the means: the same in prediction and rating. */
  const handicaps = ({ teams, weights, odds }: Contest<SkillBelief>, tauAdded: number): number[] => {
    if (!odds) return teams.map(() => 0);
    const totals = teams.map((team, t) => totalOf(team, weights?.[t], tauAdded));
    const noise = totals.reduce((sum, { variance }) => sum + variance + beta * beta, 0);
    // Of two teams this is the c of their meeting; of more, that of two average ones.
    const c = Math.sqrt((2 * noise) / teams.length);
    return odds.map((each) => each * logisticToNormal * c);
  };

  const rateTwo = (contest: Contest<SkillBelief>, [one = 1, other = 1]: Ranks): SkillBelief[][] => {
    const { teams, weights, odds } = contest;
    const [first = [], second = []] = teams;
    const a = totalOf(first, weights?.[0], tauSquared);
    const b = totalOf(second, weights?.[1], tauSquared);
    const outcome = one < other ? 1 : one > other ? 0 : 0.5;
    const [up = 0, down = 0] = odds ? handicaps(contest, tauSquared) : [];
    const [shiftA, shiftB] = twoTeams(
      up === 0 ? a : { mu: a.mu + up, variance: a.variance },
      down === 0 ? b : { mu: b.mu + down, variance: b.variance },
      outcome,
    );
    return [
      shiftTeam(first, weights?.[0], tauSquared, shiftA, kappa, sigmaFloor),
      shiftTeam(second, weights?.[1], tauSquared, shiftB, kappa, sigmaFloor),
    ];
  };

  const ratePairs = (contest: Contest<SkillBelief>, ranks: Ranks, pairing: Pairing): SkillBelief[][] => {
    const { teams, weights } = contest;
    const given_ = handicaps(contest, tauSquared);
    const totals = teams.map((team, t) => {
      const total = totalOf(team, weights?.[t], tauSquared);
      return { mu: total.mu + (given_[t] ?? 0), variance: total.variance };
    });
    const shifts = pairShifts(totals, ranks, pairing, twoTeams);
    return teams.map((team, t) =>
      shiftTeam(team, weights?.[t], tauSquared, shifts[t] as TeamShift, kappa, sigmaFloor),
    );
  };

  /**
   * The package ignores `weight`, so partial play is put into what it is given: a member of weight w goes in as (w·mu, w·sigma)
   * and comes out divided by w; below `leastWeight` too few of its digits would be left. Handicaps are spread over the
   * members, and the best team is put at 0 so that no exponential overflows.
   */
  const rateRanking = (contest: Contest<SkillBelief>, ranks: Ranks): SkillBelief[][] => {
    const { teams, weights } = contest;
    const weightOf = (t: number, p: number): number => weights?.[t]?.[p] ?? 1;
    const given_ = handicaps(contest, tauSquared);
    const totals = teams.map((team, t) => totalOf(team, weights?.[t], tauSquared).mu + (given_[t] ?? 0));
    const top = Math.max(...totals);
    const entered = teams.map((team, t) => {
      const shift = ((given_[t] ?? 0) - top) / team.length;
      return team.map((player, p) => {
        const weight = weightOf(t, p);
        return {
          mu: weight * player.mu + shift,
          // Nobody's variance may vanish in a division of the package's.
          sigma: Math.max(weight, leastWeight) * Math.sqrt(player.sigma ** 2 + tauSquared),
        };
      });
    });
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
        const weight = weightOf(t, p);
        const before = entered[t]?.[p];
        const after = rated[t]?.[p];
        if (weight < leastWeight || !before || !after) return player;
        return {
          mu: player.mu + (after.mu - before.mu) / weight,
          sigma: Math.max(sigmaFloor, after.sigma / weight),
        };
      }),
    );
  };

  return {
    ...gaussianState,
    name: variant.name,
    initial: () => ({ mu, sigma }),
    reach: reachAround(mu, Math.max(sigma, beta)),
    misfit: ({ teams }) =>
      teams.length <= variant.mostTeams
        ? null
        : `${variant.title} does not fit a match of ${teams.length} teams (its estimates blow up beyond ${variant.mostTeams}); use openskill-plackett-luce or openskill-bradley-terry-part there.`,

    predict(contest) {
      const { teams, weights } = contest;
      const totals = teams.map((team, t) => totalOf(team, weights?.[t], 0));
      const given_ = handicaps(contest, 0);
      const strength = totals.map(({ mu: of }, t) => of + (given_[t] ?? 0));
      if (teams.length === 2) {
        const [a = 0, b = 0] = strength;
        const spread = totals.reduce((sum, { variance }) => sum + variance, 2 * beta * beta);
        const first = sigmoid((a - b) / (logisticToNormal * Math.sqrt(spread)));
        return [first, 1 - first];
      }
      // The package's own figure for n teams never exceeds 2/n; the model itself says exp(mu/c) over their sum.
      const c = Math.sqrt(totals.reduce((sum, { variance }) => sum + variance + beta * beta, 0));
      const top = Math.max(...strength);
      const chances = strength.map((each) => Math.exp((each - top) / c));
      const total = chances.reduce((sum, each) => sum + each, 0);
      return chances.map((each) => each / total);
    },

    rate(contest, ranks) {
      if (contest.teams.length === 2) return rateTwo(contest, ranks);
      return variant.pairing === null
        ? rateRanking(contest, ranks)
        : ratePairs(contest, ranks, variant.pairing);
    },
  };
}
