import type { WideningCurve } from '@muster/domain';

/**
 * The limit of a curve after a wait: linear between corners, constant after the last one.
 *
 * @param waitedMs milliseconds waited, 0 or more
 * @returns the limit in the curve's own unit; Infinity once the curve says "no limit"
 */
export function limitAfter(curve: WideningCurve, waitedMs: number): number {
  const seconds = Math.max(0, waitedMs / 1000);
  let before = curve[0];
  for (const corner of curve) {
    if (corner.afterSeconds > seconds) {
      if (!before || before.limit === null) return Infinity;
      if (corner.limit === null) return before.limit;
      const share = (seconds - before.afterSeconds) / (corner.afterSeconds - before.afterSeconds);
      return before.limit + share * (corner.limit - before.limit);
    }
    before = corner;
  }
  return before?.limit ?? Infinity;
}
