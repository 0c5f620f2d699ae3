import { Unsolvable, type SkillBelief } from '@muster/domain';
import { outcomeBetween, teamAfter } from '../contest.js';
import { softmax } from '../maths/logistic.js';
import type { Contest, ModelKind, Ranks, RatingModel } from '../model.js';
import { amount, type ValuesOf } from '../parameters.js';
import { validRange } from '../valid-range.js';
import {
  certainty,
  closePeriod,
  pointsPerUnit,
  sumGames,
  type GlickoGame,
  type GlickoRating,
  type PeriodSums,
} from './period.js';
import {
  flawOf,
  provisional,
  readState,
  stateAt,
  writeState,
  type Calendar,
  type GlickoState,
} from './state.js';

const msPerDay = 86_400_000;

const parameters = {
  rating: amount(1500, -1e6, 1e6, 'rating of a stranger'),
  deviation: amount(350, 1e-3, 1e6, 'deviation of a stranger; idleness makes nobody less known than that'),
  volatility: amount(0.06, 1e-6, 1, 'how much a stranger’s strength is expected to wander in one period'),
  tau: amount(0.5, 0.1, 2, 'how readily the volatility changes; small where upsets are luck'),
  periodDays: amount(
    0,
    0,
    3650,
    'length of a rating period in days; 0: every match is one of its own, and idleness does not count',
  ),
};

/**
 * Glicko-2: a rating, its deviation, and its volatility.
 *
 * @see Glickman, Example of the Glicko-2 system (2012, revised 2022)
 */
export const glicko2Kind: ModelKind<GlickoState, typeof parameters> = {
  name: 'glicko2',
  title: 'Glicko-2',
  about:
    'Made for duels and rating periods, in which idle players become less known. A team is one opponent of mean rating, so teams of different size meet as equals.',
  parameters,
  needs: [],
  zeroSum: false,
  open,
};

/** With the games of an open period counted, after which the period has none: its time without play goes on. */
function restarted(
  state: GlickoState,
  { mu, sigma }: SkillBelief,
  calm: number,
  keep: number,
  calendar: Calendar,
): GlickoState {
  const closed = provisional(state, calendar);
  const volatility = keep === 1 ? closed.volatility : calm + keep * (closed.volatility - calm);
  if (!state.open) return { rating: mu, deviation: sigma, volatility };
  // The end of the period adds its wandering again.
  const wandering = volatility * pointsPerUnit;
  const deviation = sigma > wandering ? Math.sqrt(sigma * sigma - wandering * wandering) : sigma;
  return { rating: mu, deviation, volatility, open: { since: state.open.since, information: 0, surplus: 0 } };
}

/** With rating periods the deviation grows by the paper's own rule. @param calm volatility of a newcomer */
function changing(calendar: Calendar, calm: number): Pick<RatingModel<GlickoState>, 'widened' | 'restarted'> {
  return {
    ...(calendar.periodMs === 0 ? { widened: (state, deviation) => ({ ...state, deviation }) } : {}),
    restarted: (state, wanted, keep) => restarted(state, wanted, calm, keep, calendar),
  };
}

function open({ tau, periodDays, ...start }: ValuesOf<typeof parameters>): RatingModel<GlickoState> {
  const calendar: Calendar = {
    tau,
    periodMs: periodDays * msPerDay,
    mostDeviation: start.deviation,
    mostVolatility: Math.max(start.volatility, start.deviation / pointsPerUnit),
  };
  const belief = (state: GlickoState): SkillBelief => {
    const { rating, deviation } = provisional(state, calendar);
    return { mu: rating, sigma: deviation };
  };

  return {
    name: 'glicko2',
    initial: () => start,
    seed: ({ mu, sigma }) => ({ rating: mu, deviation: sigma, volatility: start.volatility }),
    // The games of the open period are added to the rating at its start, whatever that is.
    moved: (state, mu) => ({ ...state, rating: state.rating + (mu - belief(state).mu) }),
    ...changing(calendar, start.volatility),
    range: validRange(start.rating, Math.max(start.deviation, pointsPerUnit)),
    belief,
    display(state) {
      const { mu, sigma } = belief(state);
      return mu - 2 * sigma;
    },
    flaw: flawOf,
    contestFlaw: () => null,

    /** The paper has no formula for more than two; this generalises E, and equals E for two. */
    predict({ teams, weights, odds, at }) {
      const sides = teams.map((team, t) => {
        const now = team.map((state) =>
          provisional(at === undefined ? state : stateAt(state, at, calendar), calendar),
        );
        return sideOf(now, weights?.[t], odds?.[t]);
      });
      const variance = sides.reduce((sum, side) => sum + (side.deviation / pointsPerUnit) ** 2, 0);
      const g = certainty(Math.sqrt((2 * variance) / sides.length));
      return softmax(sides.map(({ rating }) => (g * rating) / pointsPerUnit));
    },

    rate(contest, ranks) {
      const { periodMs } = calendar;
      if (periodMs === 0) return rateAtOnce(contest, ranks, calendar);
      if (contest.at === undefined)
        throw new Unsolvable('Glicko-2 with rating periods needs the time of the match to rate it.');
      return enterInPeriod(contest, ranks, contest.at, calendar);
    },

    write: writeState,
    read: readState,
    brief: writeState,
  };
}

/** Every match is a separate period. */
function rateAtOnce(contest: Contest<GlickoState>, ranks: Ranks, calendar: Calendar): GlickoState[][] {
  return taught(contest, ranks, 0, calendar, (state, sums) => closePeriod(state, sums, calendar));
}

/** Adds a match to the open periods of its players; earlier periods are closed first. */
function enterInPeriod(
  contest: Contest<GlickoState>,
  ranks: Ranks,
  at: number,
  calendar: Calendar,
): GlickoState[][] {
  const since = Math.floor(at / calendar.periodMs) * calendar.periodMs;
  return taught(contest, ranks, at, calendar, (state, { information, surplus }) => ({
    ...state,
    open: {
      since: state.open?.since ?? since,
      information: (state.open?.information ?? 0) + information,
      surplus: (state.open?.surplus ?? 0) + surplus,
    },
  }));
}

/** The states after a match, of which each player who took part learns by their presence. */
function taught(
  contest: Contest<GlickoState>,
  ranks: Ranks,
  at: number,
  calendar: Calendar,
  learned: (state: GlickoState, sums: PeriodSums) => GlickoState,
): GlickoState[][] {
  const teams = contest.teams.map((team) => team.map((state) => stateAt(state, at, calendar)));
  const sums = sumsOf(teams, contest, ranks);
  return contest.teams.map((team, t) => {
    const { information = 0, surplus = 0 } = sums[t] ?? {};
    return teamAfter(team, contest.weights?.[t], (before, weight, p) =>
      sums[t]
        ? learned(teams[t]?.[p] ?? before, { information: weight * information, surplus: weight * surplus })
        : before,
    );
  });
}

/** A team as one opponent. */
interface Side {
  readonly rating: number;
  readonly deviation: number;
  /** Whether any of its players took part. */
  readonly present: boolean;
}

/** Mean rating and root mean square of the deviations, by weight; odds are added to the rating. */
function sideOf(
  team: readonly GlickoRating[],
  weights: readonly number[] | undefined,
  odds: number | undefined,
): Side {
  let total = 0;
  let ratings = 0;
  let variances = 0;
  for (let p = 0; p < team.length; p++) {
    const { rating, deviation } = team[p] as GlickoRating;
    const weight = weights?.[p] ?? 1;
    total += weight;
    ratings += weight * rating;
    variances += weight * deviation * deviation;
  }
  if (total === 0) return { ...sideOf(team, undefined, odds), present: false };
  return {
    rating: ratings / total + (odds ?? 0) * pointsPerUnit,
    deviation: Math.sqrt(variances / total),
    present: true,
  };
}

/**
 * The information of the match about a player of each team with full presence: a game against every other team, each
 * weighted by one over their number. Undefined where no other team took part.
 */
function sumsOf(
  teams: readonly (readonly GlickoRating[])[],
  { weights, odds }: Contest,
  ranks: Ranks,
): (PeriodSums | undefined)[] {
  const sides = teams.map((team, t) => sideOf(team, weights?.[t], odds?.[t]));
  return sides.map((own, t) => {
    const rank = ranks[t] ?? 0;
    const games: GlickoGame[] = [];
    for (let o = 0; o < sides.length; o++) {
      const { rating, deviation, present } = sides[o] as Side;
      if (o !== t && present) games.push({ rating, deviation, score: outcomeBetween(rank, ranks[o] ?? 0) });
    }
    if (games.length === 0) return undefined;
    const sums = sumGames(own, games);
    const others = teams.length - 1;
    return others === 1 ? sums : { information: sums.information / others, surplus: sums.surplus / others };
  });
}
