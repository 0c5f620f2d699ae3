/** A rate, and whether it is held. */
export interface Trial {
  readonly rate: number;
  readonly holds: boolean;
}

/** Rates closer than this share are not told apart. */
const closeEnough = 0.1;
const mostTrials = 8;
const lowestRate = 5;

/** The highest rate that was held; null without one. */
export function heldOf(trials: readonly Trial[]): number | null {
  const held = trials.filter(({ holds }) => holds).map(({ rate }) => rate);
  return held.length === 0 ? null : Math.max(...held);
}

/** The next rate to try: twice or half as many until one is held and one is not, then between them; null when it is known. */
export function nextTrial(trials: readonly Trial[]): number | null {
  if (trials.length >= mostTrials) return null;
  const held = heldOf(trials);
  const missed = Math.min(
    ...trials.filter(({ holds, rate }) => !holds && rate > (held ?? 0)).map(({ rate }) => rate),
  );
  if (held === null) return missed / 2 < lowestRate ? null : missed / 2;
  if (!Number.isFinite(missed)) return 2 * held;
  return missed - held <= closeEnough * missed ? null : Math.round((held + missed) / 2);
}
