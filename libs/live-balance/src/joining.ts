import { advantage, type Advantage } from './advantage.js';
import { afterDeparture, placeArrival, type Departure, type Newcomer, type Placement } from './placement.js';
import type { Policy } from './policy.js';
import type { Roster } from './roster.js';

/**
 * Where somebody who joins goes, by a policy.
 *
 * @param roster as it is without them, or with them on no team
 * @throws Unsolvable see `placeArrival`
 */
export function joined(roster: Roster, newcomer: Newcomer, policy: Policy): Placement {
  return placeArrival(roster, newcomer, policy.placement);
}

/**
 * What becomes of the teams when somebody leaves, by a policy, and what their levers could do about it.
 *
 * @param roster as it was with them
 * @throws Unsolvable see `afterDeparture`
 */
export function left(
  roster: Roster,
  playerId: string,
  policy: Policy,
): Departure & { readonly advantage: Advantage } {
  const remaining = { ...roster, players: roster.players.filter((player) => player.playerId !== playerId) };
  const departure = afterDeparture(roster, playerId, policy.placement);
  return { ...departure, advantage: advantage(remaining, policy.levers) };
}
