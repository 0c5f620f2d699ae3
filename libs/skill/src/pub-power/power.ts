/** The power of a player's presence beside their skill, so that three never count as even with eight. */
const presence = 5;

/** A player and their sort key. */
export interface Contender {
  readonly id: string;
  /** pubPower, or points in the running match. */
  readonly value: number;
}

/**
 * sortedPower: 5 for the player with the least pubPower, and one more for each further; ties are ordered by id.
 *
 * @returns in the order given
 */
export function sortedPower(players: readonly Contender[]): number[] {
  return inGivenOrder(players, (_player, rank) => presence + rank);
}

/**
 * sortedPointsPower: 5 and one more for each player with fewer points, if more than 0; ties above 0 are ordered by id. So
 * all players with 0 have 5, and so does the lowest of the others.
 *
 * @returns in the order given
 */
export function sortedPointsPower(players: readonly Contender[]): number[] {
  let next = presence;
  return inGivenOrder(players, ({ value }) => (value > 0 ? next++ : next));
}

/** Current power by player: sortedPower alone (version 1.2.1), or the mean of it and sortedPointsPower (1.2.2). */
export function currentPower(sorted: readonly number[], points?: readonly number[]): number[] {
  return sorted.map((power, i) => (points ? (power + (points[i] ?? power)) / 2 : power));
}

/** The power of a team: the sum of its members'. */
export function teamPower(powers: readonly number[]): number {
  return powers.reduce((sum, power) => sum + power, 0);
}

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

/** Power by rank without ordering ties by id: they share the mean of their ranks. */
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

function inGivenOrder(
  players: readonly Contender[],
  powerOf: (player: Contender, rank: number) => number,
): number[] {
  const powers = players.map(() => presence);
  players
    .map((player, i) => ({ player, i }))
    .sort((a, b) => a.player.value - b.player.value || (a.player.id < b.player.id ? -1 : 1))
    .forEach(({ player, i }, rank) => {
      powers[i] = powerOf(player, rank);
    });
  return powers;
}
