/**
 * The error of a rating that moves by fixed steps: the initial uncertainty fades with every game, and the noise of the
 * steps remains. Computed for even duels against players with correct ratings, so for larger teams it is too optimistic.
 */
export interface Settling {
  /** Initial standard deviation, in rating units. */
  readonly start: number;
  /** Rating units won or lost for a whole point of score. */
  readonly step: number;
  /** Expected score gained per rating unit, between equals. */
  readonly slope: number;
}

/**
 * The standard deviation after some games. With Δ = step · (score − expected), an error e becomes (1 − step·slope)·e plus
 * noise of variance step²/4, whose variance tends to step / (4·slope·(2 − step·slope)).
 *
 * @param games not negative
 */
export function spreadAfter({ start, step, slope }: Settling, games: number): number {
  // Steps so large that they overshoot do not converge; they are treated as the largest that do.
  const pull = Math.min(1, step * slope);
  if (!(pull > 0)) return start;
  const left = (1 - pull) ** (2 * games);
  const rest = (Math.min(step, 1 / slope) * 0.25) / (slope * (2 - pull));
  return Math.sqrt(start * start * left + rest * (1 - left));
}

/**
 * What remains of a number of games once the uncertainty has risen, for a state whose uncertainty follows from them.
 *
 * @param sigma at least that of the games
 */
export function gamesLeft(spreadAt: (games: number) => number, games: number, sigma: number): number {
  return spreadAt(games) >= sigma ? games : Math.min(games, gamesUntil(spreadAt, sigma));
}

const longest = 1024;

/** The fewest games, 0 to 1024, after which the spread is at most `wanted`; 1024 when it never is. */
export function gamesUntil(spreadAt: (games: number) => number, wanted: number): number {
  if (spreadAt(0) <= wanted) return 0;
  let wide = 0;
  let narrow = longest;
  while (narrow - wide > 1) {
    const middle = (wide + narrow) >> 1;
    if (spreadAt(middle) <= wanted) narrow = middle;
    else wide = middle;
  }
  return narrow;
}

/** The number of games that, with a prior of one, have this uncertainty: `spread` is that of one. Not negative. */
export function worthOf(spread: number, sigma: number): number {
  return Math.max(0, Math.round((spread / sigma) ** 2 - 1));
}

/** The last games of a record: one at least, which holds the mean, unless the mean is that of an empty record. */
export function lastOf<T>(games: readonly T[], count: number, isStart: boolean): readonly T[] {
  const kept = isStart ? count : Math.max(1, count);
  return kept >= games.length ? games : games.slice(games.length - kept);
}
