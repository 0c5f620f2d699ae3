import type { SkillBelief } from '@muster/domain';
import { chancesOfOdds, firstWithout, readNumbers } from '../contest.js';
import type { Contest, ModelKind, Ranks, RatingModel } from '../model.js';
import { amount, type ValuesOf } from '../parameters.js';
import { fullMass, noLogs, weightOf, withGame, type LogWeightState } from './logs.js';
import { byKills, byResult, byScores, type LogMethod } from './scores.js';

interface Variant {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly method: LogMethod;
}

const variants: readonly Variant[] = [
  {
    name: 'log-weights',
    title: 'Log weights, by result',
    about:
      'A weight from 0 to 100 out of the last thirty or so results, newer ones counting more. It does not ask how strong the others were.',
    method: byResult,
  },
  {
    name: 'log-weights-scores',
    title: 'Log weights, by team scores',
    about:
      'Who is on a team while it scores weighs more: for capture the flag and the like. It does not ask how strong the others were.',
    method: byScores,
  },
  {
    name: 'log-weights-kills',
    title: 'Log weights, by kills',
    about:
      'Who kills more than the others of a match weighs more: for deathmatch, not for games of objectives.',
    method: byKills,
  },
];

const parameters = {
  discount: amount(0.88, 0, 0.999, 'what a game still counts after the next one'),
  prior: amount(3, 0.1, 1000, 'games’ worth of a middling score that everyone begins with'),
};

/** Weights from game logs, as servers of Unreal Tournament stored them. */
export const logWeightKinds: readonly ModelKind<LogWeightState, typeof parameters>[] = variants.map(
  (variant) => ({
    name: variant.name,
    title: variant.title,
    about: variant.about,
    parameters,
    needs: variant.method.needs,
    zeroSum: false,
    open: (given) => openLogWeights(variant, given),
  }),
);

/** Lower limit of a team's sum: a team of weight 0 has a tiny chance, not none. */
const leastSum = 1e-9;
const largestSum = 1e300;

/** A variant with its parameters. */
interface LogWeightSettings extends ValuesOf<typeof parameters> {
  readonly variant: Variant;
  /** The limit of the mass of many games. */
  readonly full: number;
}

function openLogWeights(variant: Variant, given: ValuesOf<typeof parameters>): RatingModel<LogWeightState> {
  const settings: LogWeightSettings = { ...given, variant, full: fullMass(given.discount) };
  return {
    name: variant.name,
    initial: () => noLogs,
    seed: (belief) => stateOf(settings, belief.mu, massForSigma(settings, belief)),
    moved: ({ mass, games }, mu) => ({ ...stateOf(settings, mu, mass), games }),
    restarted: (state, belief) => {
      const { mass, games } = state;
      const left =
        sigmaOf(settings, state) >= belief.sigma ? mass : Math.min(mass, massForSigma(settings, belief));
      return { ...stateOf(settings, belief.mu, left), games };
    },
    range: { mu: [0, 100], sigma: [1e-6, 100] },
    belief: (state) => ({ mu: weightOf(state, settings), sigma: sigmaOf(settings, state) }),
    display: (state) => weightOf(state, settings),
    flaw(state) {
      const weight = weightOf(state, settings);
      // Rounding errors are no flaw.
      return weight >= -1e-6 && weight <= 100 + 1e-6 && state.mass >= 0 && state.games >= 0
        ? null
        : `has a log weight of ${weight} from ${state.games} games; it must be 0 to 100`;
    },
    contestFlaw: () => null,
    missingFact: (contest) => missingFact(variant, contest),
    predict(contest) {
      const { teams, odds } = contest;
      return chancesOfOdds(teams.map((_team, t) => strengthOf(settings, contest, t) + (odds?.[t] ?? 0)));
    },
    rate: (contest, ranks) => rateTeams(settings, contest, ranks),
    write: ({ total, mass, games }) => ({ total, mass, games }),
    read: (json) => readNumbers(json, ['total', 'mass', 'games'], 'a log weight'),
    brief: ({ total, mass, games }) => ({ total, mass, games }),
  };
}

/**
 * A state with that weight, with the mass of at least the given number of games: more where such a weight requires more.
 */
function stateOf({ prior, full }: LogWeightSettings, mu: number, least: number): LogWeightState {
  const lean = (Math.abs(mu - 50) / 50) * (full / (prior + full));
  const mass = Math.min(full, Math.max(least, (lean * prior) / Math.max(1e-12, 1 - lean)));
  const total = mass / 2 + ((mu - 50) / 100) * (prior + mass) * (full / (prior + full));
  return { total, mass, games: Math.round(mass) };
}

/** The number of games with the same uncertainty. */
function massForSigma({ prior }: LogWeightSettings, { mu, sigma }: SkillBelief): number {
  const share = mu / 100;
  const sure = (share * (1 - share)) / (sigma / 100) ** 2 - 1 - prior;
  return Math.max(0, sure);
}

/** The width is that of a Beta distribution of a mean score from that many games. */
function sigmaOf({ prior }: LogWeightSettings, { total, mass }: LogWeightState): number {
  const share = (prior / 2 + total) / (prior + mass);
  return 100 * Math.sqrt((share * (1 - share)) / (prior + mass + 1));
}

/** A sentence on the first player for whom a fact of the method is missing; null when there is none. */
function missingFact({ name, title, method }: Variant, contest: Contest<LogWeightState>): string | null {
  if (method.needs.length === 0) return null;
  const playerWithout = firstWithout(contest, method.has);
  return playerWithout === null
    ? null
    : `${title} (${name}) needs of every player ${method.wanted}; that of ${playerWithout} is missing or no number of 0 or more. Use log-weights where only results are known.`;
}

/**
 * Log-odds of a team, ln n + ln(s / (n − s)): n is the sum of its members' weights, s that of their weights times the mean
 * score of each, which begins at ½ and converges at the prior's rate. A player meets a newcomer with the odds of their mean
 * score against its misses, clones are as strong as one of them, and the odds grow with the size of the team.
 */
function strengthOf(
  { prior }: LogWeightSettings,
  { teams, weights }: Contest<LogWeightState>,
  t: number,
): number {
  let won = leastSum;
  let lost = leastSum;
  let size = leastSum;
  teams[t]?.forEach((player, p) => {
    const weight = Math.min(largestSum, weights?.[t]?.[p] ?? 1);
    const share = (prior / 2 + player.total) / (prior + player.mass);
    won += weight * share;
    lost += weight * (1 - share);
    size += weight;
  });
  return Math.log(won) - Math.log(lost) + Math.log(size);
}

/** Adds the match to the logs of each participating player. */
function rateTeams(
  { variant, discount }: LogWeightSettings,
  contest: Contest<LogWeightState>,
  ranks: Ranks,
): LogWeightState[][] {
  const { teams, weights } = contest;
  const scores = variant.method.scores(contest, ranks);
  return teams.map((team, t) =>
    team.map((player, p) => {
      const share = Math.min(1, weights?.[t]?.[p] ?? 1);
      return share === 0 ? player : withGame(player, scores[t]?.[p] ?? 0.5, share, discount);
    }),
  );
}
