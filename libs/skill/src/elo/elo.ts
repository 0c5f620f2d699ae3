import { outcomeBetween, readNumbers, teamAfter } from '../contest.js';
import { logisticToNormal, sigmoid, softmax } from '../maths/logistic.js';
import { normalBelow } from '../maths/normal.js';
import type { Contest, ModelKind, Ranks, RatingModel } from '../model.js';
import { marginParameter, teamScores, weighedOutcome } from '../margin.js';
import { amount, choice, type ValuesOf } from '../parameters.js';
import { validRange } from '../valid-range.js';
import { gamesLeft, gamesUntil, spreadAfter } from '../settling.js';

/** A rating and the number of games behind it. */
export interface EloState {
  readonly rating: number;
  readonly games: number;
}

/** Ratings beyond this are treated as a mistake. */
const highest = 1e9;

const parameters = {
  start: amount(1500, -1e6, 1e6, 'rating of a stranger'),
  curve: choice(['logistic', 'normal'], 'what turns a difference into a chance'),
  scale: amount(400, 1e-3, 1e6, 'logistic: points that stand for odds of 10 to 1'),
  sigma: amount(200, 1e-3, 1e6, 'normal: standard deviation of one performance, in points'),
  k: amount(32, 0, 1e5, 'logistic: most points that one game can move'),
  alpha: amount(0.09, 0, 100, 'normal: weight of one game; K is alpha · sigma · √π'),
  kRule: choice(['constant', 'layered', 'games', 'decay'], 'what K depends on'),
  layer1: amount(2100, -1e6, 1e6, 'layered: from this rating on, K is three quarters'),
  layer2: amount(2400, -1e6, 1e6, 'layered: from this rating on, K is half'),
  earlyGames: amount(20, 0, 1000, 'games: how many games count as early'),
  earlyFactor: amount(2, 1, 10, 'games: K of an early game, in multiples of K'),
  decayA: amount(250, 0, 1e6, 'decay: K is decayA / (games + decayB) ^ decayC, in place of k and alpha'),
  decayB: amount(5, 1e-3, 1e4, 'decay: see decayA'),
  decayC: amount(0.4, 0, 1, 'decay: see decayA'),
  margin: marginParameter,
  team: choice(['mean', 'sum'], 'what a team is worth: the mean of its members or their sum'),
  uncertainty: amount(350, 1e-3, 1e6, 'standard deviation reported for a stranger'),
  sigmaFloor: amount(50, 1e-6, 1e6, 'no uncertainty is reported below this'),
};

/**
 * Elo, logistic or normal, for any number of teams.
 *
 * Zero-sum in its default form: constant K, and teams of equal weight. Layers and early games make K specific to a player.
 *
 * @see Elo (1978), The Rating of Chessplayers; for the normal form with K = ασ√π, Herbrich, Minka and Graepel (2007),
 *   section 1
 */
export const eloKind: ModelKind<EloState, typeof parameters> = {
  name: 'elo',
  title: 'Elo',
  about:
    'Simple and well known: one number, moved by the difference of score and expectation. It does not know how sure it is, so strangers take long to settle.',
  parameters,
  needs: [],
  zeroSum: true,
  open: openElo,
};

type Given = ValuesOf<typeof parameters>;
/** The parameters as rating uses them. */
type EloSettings = ReturnType<typeof settingsOf>;

function openElo(given: Given): RatingModel<EloState> {
  const settings = settingsOf(given);
  const { start, uncertainty, logitPerPoint, expected, margin } = settings;
  return {
    name: eloKind.name,
    initial: () => ({ rating: start, games: 0 }),
    seed: ({ mu, sigma }) => ({
      rating: mu,
      games: gamesUntil((games) => spreadAt(settings, mu, games), sigma),
    }),
    moved: ({ games }, mu) => ({ rating: mu, games }),
    restarted: ({ games }, { mu, sigma }) => ({
      rating: mu,
      games: gamesLeft((count) => spreadAt(settings, mu, count), games, sigma),
    }),
    range: validRange(start, Math.max(uncertainty, 1 / logitPerPoint)),
    belief: ({ rating, games }) => ({ mu: rating, sigma: spreadAt(settings, rating, games) }),
    display: ({ rating }) => rating,
    flaw: ({ rating, games }) =>
      Math.abs(rating) <= highest && games >= 0 && games < Infinity
        ? null
        : `has an Elo rating of ${rating} after ${games} games; it must be a number within ±${highest}, and the games not negative`,
    contestFlaw: () => null,
    predict(contest) {
      const logits = logitsOf(settings, contest);
      if (logits.length > 2) return softmax(logits);
      const first = expected((logits[0] ?? 0) - (logits[1] ?? 0));
      return [first, 1 - first];
    },
    rate(contest, ranks) {
      const scores = margin > 0 ? teamScores(contest) : null;
      const surplus = surplusOf(logitsOf(settings, contest), ranks, settings, scores);
      return rateTeams(settings, contest, surplus);
    },
    write: ({ rating, games }) => ({ rating, games }),
    read: (json) => readNumbers(json, ['rating', 'games'], 'an Elo rating'),
    brief: ({ rating, games }) => ({ rating, games }),
  };
}

function settingsOf(given: Given) {
  const { sigma, alpha, k, scale, kRule } = given;
  const normal = given.curve === 'normal';
  const whole = normal ? alpha * sigma * Math.sqrt(Math.PI) : k;
  return {
    ...given,
    /** K before the player's own factor. */
    fullK: kRule === 'decay' ? 1 : whole,
    /** Log-odds for a point of difference; for the normal curve, the nearest equivalent. */
    logitPerPoint: normal ? 1 / (Math.SQRT2 * sigma * logisticToNormal) : Math.LN10 / scale,
    /** The expected score for log-odds. */
    expected: normal ? (logOdds: number) => normalBelow(logOdds * logisticToNormal) : sigmoid,
    factorOf: kFactor(given),
  };
}

/** Log-odds of each team: its strength plus its odds. */
function logitsOf(
  { team: worth, logitPerPoint }: EloSettings,
  { teams, weights, odds }: Contest<EloState>,
): number[] {
  let present = 0;
  const strengths: number[] = [];
  for (let t = 0; t < teams.length; t++) {
    const team = teams[t] as readonly EloState[];
    const counts = weights?.[t];
    let strength = 0;
    for (let p = 0; p < team.length; p++) {
      const weight = counts?.[p] ?? 1;
      strength += weight * (team[p] as EloState).rating;
      present += weight;
    }
    strengths.push(strength);
  }
  const size = worth === 'mean' && present > 0 ? present / teams.length : 1;
  return strengths.map((strength, t) => (strength / size) * logitPerPoint + (odds?.[t] ?? 0));
}

/** The standard deviation reported for a player: early games, with a larger K, settle first. */
function spreadAt(settings: EloSettings, rating: number, games: number): number {
  const { fullK, factorOf, logitPerPoint, uncertainty, earlyGames, sigmaFloor } = settings;
  // Both curves have this slope: the normal one is joined to log-odds where the slopes are equal.
  const slope = logitPerPoint / 4;
  if (settings.kRule === 'decay')
    return Math.max(sigmaFloor, decayedSpread(settings, uncertainty, slope, games));
  const sure = fullK * factorOf(rating, Infinity);
  const hasty = fullK * factorOf(rating, 0);
  const before = spreadAfter({ start: uncertainty, step: hasty, slope }, Math.min(games, earlyGames));
  const after = spreadAfter({ start: before, step: sure, slope }, Math.max(0, games - earlyGames));
  return Math.max(sigmaFloor, after);
}

/** Moves each participating player by K times their team's surplus. */
function rateTeams(
  { fullK, factorOf }: EloSettings,
  { teams, weights }: Contest<EloState>,
  surplus: readonly number[],
): EloState[][] {
  return teams.map((team, t) => {
    const points = fullK * (surplus[t] ?? 0);
    return teamAfter(team, weights?.[t], ({ rating, games }, weight) => ({
      rating: rating + points * weight * factorOf(rating, games),
      games: games + 1,
    }));
  });
}

/**
 * Score less expectation of each team: the mean over its meetings with every other. Scores of the match weigh a win where
 * the pool does so.
 */
function surplusOf(
  logits: readonly number[],
  ranks: Ranks,
  { expected, margin }: EloSettings,
  scores: readonly number[] | null,
): number[] {
  const surplus = logits.map(() => 0);
  const share = 1 / (logits.length - 1);
  for (let a = 0; a < logits.length; a++)
    for (let b = a + 1; b < logits.length; b++) {
      const byRank = outcomeBetween(ranks[a] ?? 1, ranks[b] ?? 1);
      const score = scores ? weighedOutcome(byRank, (scores[a] ?? 0) - (scores[b] ?? 0), margin) : byRank;
      const gain = share * (score - expected((logits[a] ?? 0) - (logits[b] ?? 0)));
      surplus[a] = (surplus[a] ?? 0) + gain;
      surplus[b] = (surplus[b] ?? 0) - gain;
    }
  return surplus;
}

/** The factor on K from a player's rating and games. */
function kFactor(given: Given): (rating: number, games: number) => number {
  const { kRule, layer1, layer2, earlyGames, earlyFactor } = given;
  switch (kRule) {
    case 'layered':
      return (rating) => (rating < layer1 ? 1 : rating < layer2 ? 0.75 : 0.5);
    case 'games':
      return (_rating, games) => (games < earlyGames ? earlyFactor : 1);
    case 'decay':
      return (_rating, games) => kAfter(given, games);
    case 'constant':
      return () => 1;
  }
}

/** K = a / (games + b)^c: large for a newcomer, and smaller with every game. */
function kAfter({ decayA: a, decayB: b, decayC: c }: Given, games: number): number {
  return a / (games + b) ** c;
}

/**
 * The standard deviation after some games with a decaying K, as in `spreadAfter` but approximate: the initial uncertainty
 * fades by e^(−2·slope·ΣK), with the sum as an integral, and the noise is that of the present K as if it had always been.
 */
function decayedSpread(given: Given, start: number, slope: number, games: number): number {
  const { decayA: a, decayB: b, decayC: c } = given;
  const steps = c === 1 ? a * Math.log1p(games / b) : (a / (1 - c)) * ((games + b) ** (1 - c) - b ** (1 - c));
  const left = Math.exp(-2 * slope * steps);
  const k = Math.min(1 / slope, kAfter(given, games));
  return Math.sqrt(start * start * left + (k / (4 * slope * (2 - k * slope))) * (1 - left));
}
