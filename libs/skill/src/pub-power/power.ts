/** The power of a player's presence beside their skill, so that three never count as even with eight. */
const presence = 5;

/**
 * The value of a place on the scoreboard: `top` for the first, one less for each further, but at least 1, for any number of
 * players.
 *
 * @param place from 1, over all players of the match
 * @param top the mode's maximum: 6, 16 or 24 in the source
 */
export function placeValue(place: number, top: number): number {
  return Math.min(top, Math.max(1, top + 1 - place));
}

/** The same scaled to the players present: `top` for the first and 1 for the last, for any number. */
export function stretchedPlaceValue(place: number, top: number, players: number): number {
  if (players < 2) return top;
  return Math.min(top, Math.max(1, 1 + ((top - 1) * (players - place)) / (players - 1)));
}

/**
 * sortedPower: 5 for the player with the least pubPower, and one more for each further. Equals share the mean of their ranks,
 * where the source orders them by id.
 */
export function evenPower(values: readonly number[]): number[] {
  const sorted = values.map((_value, i) => i).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const powers = values.map(() => 0);
  for (let from = 0; from < sorted.length;) {
    const value = values[sorted[from] ?? 0];
    let to = from;
    while (to < sorted.length && values[sorted[to] ?? 0] === value) to++;
    for (let i = from; i < to; i++) powers[sorted[i] ?? 0] = presence + (from + to - 1) / 2;
    from = to;
  }
  return powers;
}
