import type { TeamShift, TeamTotal } from '../gaussian-team.js';
import { truncatedAbove, truncatedWithin, type Truncation } from '../maths/truncated.js';

/** Messages that change by less than this, in standard deviations of a team's performance, have converged. */
const settled = 1e-11;
/** Iteration limit; a chain converges within a few dozen. */
const mostRounds = 200;

/**
 * Limit of a message's precision, as a multiple of the prior's. Contradictory comparisons, as of two teams of known
 * strength, would otherwise diverge.
 */
const mostSure = 1e12;
const leastKept = 1e-15;

/** One comparison of two neighbours in the ranking. */
export interface Comparison {
  /** Whether both have the same rank. */
  readonly drawn: boolean;
  /** The lead required to win; in the unit of the means. */
  readonly margin: number;
}

/** The message of one comparison to a team: a normal in natural form, about the team's deviation from its prior mean. */
interface Message {
  precision: number;
  /** Precision times mean. */
  pull: number;
}

/**
 * The information of a comparison of two performances.
 *
 * @param gap expected lead of the better-placed team
 * @param c standard deviation of that gap; above 0
 * @param margin as in `Comparison`
 */
export function compared(gap: number, c: number, drawn: boolean, margin: number): Truncation {
  return drawn ? truncatedWithin(gap / c, margin / c) : truncatedAbove((gap - margin) / c);
}

/**
 * Expectation propagation along a chain of teams, the best first, each compared with the next: messages pass down and up
 * the chain until they converge. With two teams it is the closed form.
 *
 * @param teams means and variances of the teams' performances, by rank
 * @param comparisons one fewer than teams
 * @see Herbrich, Minka and Graepel (2006), TrueSkill, section 3 and figure 1
 */
export function settleChain(teams: readonly TeamTotal[], comparisons: readonly Comparison[]): TeamShift[] {
  // A team receives messages from the comparisons above and below it; the ends have one.
  const fromAbove = teams.map((): Message => ({ precision: 0, pull: 0 }));
  const fromBelow = teams.map((): Message => ({ precision: 0, pull: 0 }));

  const pass = (k: number): number => {
    const better = teams[k] as TeamTotal;
    const worse = teams[k + 1] as TeamTotal;
    const fromHigher = fromAbove[k] as Message;
    const fromLower = fromBelow[k + 1] as Message;
    // The cavity distributions without this comparison; a variance of 0 stays 0.
    const varianceA = better.variance / (1 + better.variance * fromHigher.precision);
    const varianceB = worse.variance / (1 + worse.variance * fromLower.precision);
    const variance = varianceA + varianceB;
    if (variance === 0) return 0;
    const offA = varianceA * fromHigher.pull;
    const offB = varianceB * fromLower.pull;
    const c = Math.sqrt(variance);
    const gap = better.mu - worse.mu + offA - offB;
    const { drawn, margin } = comparisons[k] as Comparison;
    const [v, w] = compared(gap, c, drawn, margin);
    // The posterior over the cavity: 1 − w · variance/c², in a form that cannot become 0.
    const keptA = Math.max(leastKept, 1 - w + (w * varianceB) / variance);
    const keptB = Math.max(leastKept, 1 - w + (w * varianceA) / variance);
    const changeA = send(fromBelow[k] as Message, w / variance / keptA, v / c / keptA, offA, better.variance);
    const changeB = send(
      fromAbove[k + 1] as Message,
      w / variance / keptB,
      -v / c / keptB,
      offB,
      worse.variance,
    );
    return Math.max(changeA, changeB);
  };

  const last = comparisons.length - 1;
  for (let round = 0; round < mostRounds; round++) {
    let change = 0;
    for (let k = 0; k <= last; k++) change = Math.max(change, pass(k));
    for (let k = last - 1; k >= 0; k--) change = Math.max(change, pass(k));
    if (last === 0 || !(change > settled)) break;
  }

  return teams.map(({ variance }, k) => {
    if (variance === 0) return { mean: 0, spread: 0 };
    const above = fromAbove[k] as Message;
    const below = fromBelow[k] as Message;
    const heard = above.precision + below.precision;
    const kept = 1 + variance * heard;
    return { mean: (above.pull + below.pull) / kept, spread: heard / kept };
  });
}

/** Replaces a message. Returns its change, in the team's standard deviations. */
function send(message: Message, told: number, push: number, off: number, variance: number): number {
  const precision = Math.min(told, mostSure / variance);
  const pull = (off * told + push) * (precision < told ? precision / told : 1);
  const change = Math.max(
    Math.abs(precision - message.precision) * variance,
    Math.abs(pull - message.pull) * Math.sqrt(variance),
  );
  message.precision = precision;
  message.pull = pull;
  return change;
}
