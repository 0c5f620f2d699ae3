import { advantage, type Advantage } from './advantage.js';
import { afterDeparture, placeArrival, type Departure, type Newcomer, type Placement } from './placement.js';
import { overfull } from './check.js';
import type { Policy } from './policy.js';
import { byTeam, type Roster } from './roster.js';
import { sharesBy, worthBy } from './worth.js';

/**
 * Where somebody who joins goes, by a policy: teams are held against each other by what the policy's rules hold them by, and
 * nobody is put where a rule would have somebody leave at once, unless every team is like that.
 *
 * @param roster as it is without them, or with them on no team
 * @throws Unsolvable see `placeArrival`
 */
export function joined(roster: Roster, newcomer: Newcomer, policy: Policy): Placement {
  return placeArrival(roster, newcomer, policy.placement, {
    strengths: (each) => byTeam(each, worthBy(each, policy)),
    takesFrom: (each) => overfull(each, policy),
  });
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
  return { ...departure, advantage: handicap(remaining, policy) };
}

/**
 * The advantage that a team has by a policy, and what its levers could do about it.
 *
 * @throws Unsolvable see `advantage`
 */
export function handicap(roster: Roster, policy: Policy): Advantage {
  return advantage(roster, policy.levers, sharesBy(roster, policy));
}
