import { Unsolvable, type Stretch } from '@muster/domain';

/**
 * The rate λ at which time in a round is discounted, per millisecond: the first half of a median round has `ratio` times
 * the weight of its second half. With a ratio of 2 the first half has as much weight as all that can follow, for any length
 * of the round; the default of 3 gives it twice that.
 *
 * @param medianMs length of a median round in milliseconds, above 0
 * @param ratio at least 1, which is no discount
 * @throws Unsolvable when either is out of range
 */
export function discountRate(medianMs: number, ratio = 3): number {
  if (!(medianMs > 0) || !(medianMs < Infinity) || !(ratio >= 1) || !(ratio < Infinity))
    throw new Unsolvable(
      `A discount needs a median length above 0 and a ratio of at least 1; these are ${medianMs} ms and ${ratio}.`,
    );
  return (2 * Math.log(ratio)) / medianMs;
}

/**
 * Discounted time of a stretch of a round: ∫ e^(−λt) dt, in milliseconds. Several stretches of one player add up.
 *
 * @param fromMs since the beginning of the round, in milliseconds; earlier time does not count
 * @param toMs the end of the stretch; 0 if before its beginning
 * @param lambda per millisecond, not negative, from `discountRate`; 0 discounts nothing
 */
export function timeWeight(fromMs: number, toMs: number, lambda: number): number {
  const from = Math.max(0, fromMs);
  const length = Math.max(0, toMs - from);
  if (lambda * length < 1e-12) return Math.exp(-lambda * from) * length;
  return (Math.exp(-lambda * from) * -Math.expm1(-lambda * length)) / lambda;
}

/**
 * The same as a share of the whole round, 0 to 1: the contribution for a pool.
 *
 * @param lengthMs length of the round in milliseconds; without length, every share is 0
 */
export function timeShare(fromMs: number, toMs: number, lengthMs: number, lambda: number): number {
  const whole = timeWeight(0, lengthMs, lambda);
  return whole > 0 ? Math.min(1, timeWeight(fromMs, Math.min(toMs, lengthMs), lambda) / whole) : 0;
}

/** The shares of several disjoint stretches, added up. */
export function sharesOfTime(stretches: readonly Stretch[], lengthMs: number, lambda: number): number {
  const shares = stretches.reduce(
    (sum, { fromMs, toMs }) => sum + timeShare(fromMs, toMs, lengthMs, lambda),
    0,
  );
  return Math.min(1, shares);
}
