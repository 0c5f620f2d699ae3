import { Unsolvable, type Stretch } from '@muster/domain';

/**
 * The rate λ at which time in a round loses worth, per millisecond: the first half of a median round is worth `ratio` times its
 * second half. With a ratio of 2 the first half is worth as much as all that can follow, however long the round takes; the
 * default of 3 makes it worth twice that.
 *
 * @param medianMs length of a median round in milliseconds, above 0
 * @param ratio at least 1, which is no discount at all
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
 * @param fromMs since the beginning of the round, in milliseconds; what is before it does not count
 * @param toMs the end of the stretch; before its beginning, nothing is counted
 * @param lambda per millisecond, not negative, as `discountRate` gives it; 0 discounts nothing
 */
export function timeWeight(fromMs: number, toMs: number, lambda: number): number {
  const from = Math.max(0, fromMs);
  const length = Math.max(0, toMs - from);
  if (lambda * length < 1e-12) return Math.exp(-lambda * from) * length;
  return (Math.exp(-lambda * from) * -Math.expm1(-lambda * length)) / lambda;
}

/**
 * The same as a share of the whole round, 0 to 1: what a pool takes as a contribution.
 *
 * @param lengthMs length of the round in milliseconds; of a round without length, everyone had none of it
 */
export function timeShare(fromMs: number, toMs: number, lengthMs: number, lambda: number): number {
  const whole = timeWeight(0, lengthMs, lambda);
  return whole > 0 ? Math.min(1, timeWeight(fromMs, Math.min(toMs, lengthMs), lambda) / whole) : 0;
}

/** The shares of several stretches, which lie apart, added up. */
export function sharesOfTime(stretches: readonly Stretch[], lengthMs: number, lambda: number): number {
  const shares = stretches.reduce(
    (sum, { fromMs, toMs }) => sum + timeShare(fromMs, toMs, lengthMs, lambda),
    0,
  );
  return Math.min(1, shares);
}

/**
 * A first guess at a skill, before any round: multiple · ln(1 + hours).
 *
 * @param hours played so far; negative counts as none
 */
export function startFromPlaytime(hours: number, multiple: number): number {
  return multiple * Math.log1p(Math.max(0, hours));
}
