import { readNumbers } from '../contest.js';
import type { Json } from '../model.js';
import {
  closePeriod,
  pointsPerUnit,
  type GlickoRating,
  type PeriodRules,
  type PeriodSums,
} from './period.js';

/**
 * A player at the start of their open rating period, and the games of that period so far. Without rating periods, and
 * before the first game, none is open.
 */
export interface GlickoState extends GlickoRating {
  readonly open?: OpenPeriod;
}

export interface OpenPeriod extends PeriodSums {
  /** When the period began, in milliseconds since the epoch. */
  readonly since: number;
}

export interface Calendar extends PeriodRules {
  /** Length of a rating period in milliseconds; 0 when every match is a separate one. */
  readonly periodMs: number;
  /** Deviation of a newcomer, in points: the upper limit for inactive players. */
  readonly mostDeviation: number;
}

/** The rating if the open period ended now. */
export function provisional(state: GlickoState, rules: PeriodRules): GlickoRating {
  return state.open ? closePeriod(state, state.open, rules) : state;
}

/**
 * The state at the start of the period that `at` falls in: an earlier open one is closed, and each whole period between the
 * two widens the deviation. A time before the open period counts towards the open period.
 *
 * @param at milliseconds since the epoch
 * @see Glickman, Example of the Glicko-2 system, step 6
 */
export function stateAt(state: GlickoState, at: number, calendar: Calendar): GlickoState {
  const { open } = state;
  if (!open) return state;
  const { periodMs } = calendar;
  if (periodMs === 0) return closePeriod(state, open, calendar);
  const passed = Math.floor(at / periodMs) - Math.floor(open.since / periodMs);
  if (passed <= 0) return state;
  const closed = closePeriod(state, open, calendar);
  return passed === 1 ? closed : idle(closed, passed - 1, calendar.mostDeviation);
}

function idle(player: GlickoRating, periods: number, mostDeviation: number): GlickoRating {
  const wandered = Math.sqrt(periods) * player.volatility * pointsPerUnit;
  const deviation = Math.min(
    Math.hypot(player.deviation, wandered),
    Math.max(player.deviation, mostDeviation),
  );
  return { ...player, deviation };
}

/** Upper limit of numbers in a state; within it, the belief is finite for any open period. */
const most = 1e15;
/** A volatility below this would be lost beside any deviation. */
const leastVolatility = 1e-9;

/** What is wrong with a state, as the end of a sentence; null when nothing is. */
export function flawOf({ rating, deviation, volatility, open }: GlickoState): string | null {
  if (!(Math.abs(rating) <= most)) return `has a rating of ${rating}; it must be from ${-most} to ${most}`;
  if (!(deviation > 0 && deviation <= most))
    return `has a deviation of ${deviation}; it must be above 0, and at most ${most}`;
  if (!(volatility >= leastVolatility && volatility <= most))
    return `has a volatility of ${volatility}; it must be from ${leastVolatility} to ${most}`;
  if (!open) return null;
  const { since, information, surplus } = open;
  return Number.isFinite(since) && information >= 0 && information <= most && Math.abs(surplus) <= most
    ? null
    : `has an open rating period since ${since} with sums ${information} and ${surplus}; the time must be finite, the first sum from 0 to ${most}, the second from ${-most} to ${most}`;
}

export function writeState({ rating, deviation, volatility, open }: GlickoState): Json {
  if (!open) return { rating, deviation, volatility };
  const { since, information, surplus } = open;
  return { rating, deviation, volatility, open: { since, information, surplus } };
}

const what = 'a Glicko-2 rating';

/** @throws TypeError when it is not the output of `writeState` */
export function readState(json: unknown): GlickoState {
  const { rating, deviation, volatility } = readNumbers(json, ['rating', 'deviation', 'volatility'], what);
  const open: unknown = Reflect.get(Object(json), 'open');
  return {
    rating,
    deviation,
    volatility,
    ...(open === undefined ? {} : { open: readNumbers(open, ['since', 'information', 'surplus'], what) }),
  };
}
