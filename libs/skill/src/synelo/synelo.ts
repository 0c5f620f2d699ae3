import { outcomeBetween, readNumbers, teamAfter } from '../contest.js';
import { sigmoid } from '../maths/logistic.js';
import type { Contest, ModelKind, RatingModel } from '../model.js';
import { amount, type ValuesOf } from '../parameters.js';
import { validRange } from '../valid-range.js';
import { compression, convergence, gain, logisticScale, roundHalfEven, surplusUnit } from './formulas.js';
import { RoundWindow } from './window.js';

/** A rating, the number of rounds so far, and the last of them. */
export interface SynEloState {
  /** Whole. */
  readonly rating: number;
  readonly rounds: number;
  readonly window: RoundWindow;
}

/** The sums of a window are exact up to here. */
const highest = 1e6;
/** Lower limit of the reported uncertainty. */
const sigmaFloor = 20;

const parameters = {
  kMax: amount(12, 1, 64, 'players in the largest team that feeds the pool; sets Θ'),
  theta: amount(0, 0, 1e6, 'Θ, rating points of a team for one unit of log-odds; 0 takes it from kMax'),
  window: amount(500, 2, 5000, 'last rounds that a player’s convergence is read from'),
  floor: amount(100, 0, highest, 'no rating falls below this'),
  start: amount(1000, 0, highest, 'rating of a stranger, and where K is largest'),
  spread: amount(400, 1, highest, 'distance from the start over which K falls'),
};

/** SynElo: Elo over sums of ratings, with a K for each player that follows how well their rating fits recent results. */
export const syneloKind: ModelKind<SynEloState, typeof parameters> = {
  name: 'synelo',
  title: 'SynElo',
  about:
    'For pools that know it from elsewhere, with two teams of like size. A first result weighs far more than the second, K never settles, and a wrong high rating takes hundreds of rounds to come down: OpenSkill is the better choice where there is one.',
  parameters,
  needs: [],
  zeroSum: false,
  open: openSynElo,
};

type Given = ValuesOf<typeof parameters>;
/** The parameters as rating uses them. */
type SynEloSettings = ReturnType<typeof settingsOf>;

function openSynElo(given: Given): RatingModel<SynEloState> {
  const settings = settingsOf(given);
  const { theta, most, start, spread, floor } = settings;
  const nearest = (mu: number): number => Math.max(floor, roundHalfEven(mu));
  const around = validRange(start, Math.max(spread, theta));
  return {
    name: syneloKind.name,
    initial: () => ({ rating: Math.max(floor, start), rounds: 0, window: RoundWindow.empty }),
    // Only rounds reduce the uncertainty; without them, K is at its largest and corrects a wrong rating.
    seed: ({ mu }) => ({ rating: nearest(mu), rounds: 0, window: RoundWindow.empty }),
    // The last rounds stay: K follows from them.
    moved: ({ rounds, window }, mu) => ({ rating: nearest(mu), rounds, window }),
    restarted: (state, { mu, sigma }) => {
      const rounds = roundsLeft(settings, state, sigma);
      return { rating: nearest(mu), rounds, window: state.window.last(rounds) };
    },
    range: { ...around, mu: [around.mu[0], Math.min(highest, around.mu[1])] },
    belief: (state) => ({ mu: state.rating, sigma: sigmaOf(settings, state) }),
    display: ({ rating }) => rating,
    flaw: flawOf,
    contestFlaw: ({ teams }) =>
      teams.length === 2
        ? null
        : `SynElo does not fit a match of ${teams.length} teams, it knows two sides only; use openskill-plackett-luce or elo there.`,
    predict(contest) {
      const first = chanceOf(settings, contest);
      return [first, 1 - first];
    },
    rate(contest, [one = 1, other = 1]) {
      const { teams, weights } = contest;
      const surplus = outcomeBetween(one, other) - chanceOf(settings, contest);
      return [
        rateTeam(settings, teams[0] ?? [], weights?.[0], surplus),
        rateTeam(settings, teams[1] ?? [], weights?.[1], -surplus),
      ];
    },
    write: ({ rating, rounds, window }) => ({ rating, rounds, window: window.write() }),
    read: (json) => readSynElo(json, most),
    brief: (state) => ({
      rating: state.rating,
      rounds: state.rounds,
      convergence: convergence(state.window),
      k: gainOf(settings, state),
    }),
  };
}

function settingsOf({ theta, kMax, window, start, spread, floor }: Given) {
  return {
    theta: theta || logisticScale(kMax),
    /** Rounds that a window holds. */
    most: Math.floor(window),
    start: roundHalfEven(start),
    spread,
    floor: Math.ceil(floor),
  };
}

function flawOf({ rating, rounds }: SynEloState): string | null {
  return Number.isInteger(rating) && rating >= 0 && rating <= highest && rounds >= 0 && rounds < Infinity
    ? null
    : `has a SynElo rating of ${rating} after ${rounds} rounds; it must be a whole number from 0 to ${highest}, and the rounds not negative`;
}

/** K of a player. */
function gainOf({ start, spread }: SynEloSettings, { rating, window }: SynEloState): number {
  return gain(convergence(window), compression(rating, start, spread));
}

/** The best uncertainty from the results, for a prior with the width of F4; at least the noise of K. */
function sigmaOf(settings: SynEloSettings, state: SynEloState): number {
  const { spread, theta } = settings;
  const told = state.rounds * (spread / (2 * theta)) ** 2;
  return Math.max(sigmaFloor, gainOf(settings, state), spread / Math.sqrt(1 + told));
}

/** The most of its rounds with which a state has this uncertainty; all of them where it has it already. */
function roundsLeft(settings: SynEloSettings, state: SynEloState, sigma: number): number {
  if (sigmaOf(settings, state) >= sigma) return state.rounds;
  const { spread, theta } = settings;
  const told = (spread / sigma) ** 2 - 1;
  return Math.min(state.rounds, Math.max(0, Math.floor(told * ((2 * theta) / spread) ** 2)));
}

/** F1, by the sums at the start, plus the odds. */
function chanceOf(
  { theta }: SynEloSettings,
  { teams, weights, opening = weights, odds }: Contest<SynEloState>,
): number {
  const lead = sumOf(teams[0] ?? [], opening?.[0]) - sumOf(teams[1] ?? [], opening?.[1]);
  return sigmoid(lead / theta + ((odds?.[0] ?? 0) - (odds?.[1] ?? 0)));
}

/** F2 for a team with this surplus over its expected score. */
function rateTeam(
  settings: SynEloSettings,
  team: readonly SynEloState[],
  weights: readonly number[] | undefined,
  surplus: number,
): SynEloState[] {
  const { floor, most } = settings;
  const recorded = Math.round(surplus / surplusUnit);
  return teamAfter(team, weights, (player, presence) => {
    const weight = Math.min(1, presence);
    const moved = roundHalfEven(player.rating + gainOf(settings, player) * weight * surplus);
    const rating = Math.min(highest, Math.max(floor, moved));
    return { rating, rounds: player.rounds + 1, window: player.window.with(rating, recorded, most) };
  });
}

function sumOf(team: readonly SynEloState[], weights: readonly number[] | undefined): number {
  let sum = 0;
  for (let p = 0; p < team.length; p++) sum += (weights?.[p] ?? 1) * (team[p] as SynEloState).rating;
  return sum;
}

function readSynElo(json: unknown, most: number): SynEloState {
  const { rating, rounds } = readNumbers(json, ['rating', 'rounds'], 'a SynElo rating');
  const window: unknown = Reflect.get(Object(json), 'window');
  if (typeof window !== 'string') throw new TypeError(`not a SynElo rating: ${JSON.stringify(json)}`);
  return { rating, rounds, window: RoundWindow.read(window, most) };
}
