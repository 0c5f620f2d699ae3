import { advantage, type Advantage } from './advantage.js';
import {
  afterDeparture,
  placeArrival,
  type Departure,
  type Judge,
  type Newcomer,
  type Placement,
} from './placement.js';
import { overfull } from '../moves/check.js';
import type { Policy } from '../policy.js';
import { strengthsOf, type Roster } from '../roster/roster.js';
import { sharesBy, worthBy } from '../worth.js';

/**
 * The team for a newcomer, by a policy: teams are compared by the measure of the policy's rules, and a team that a rule
 * would have the newcomer leave at once is avoided, unless every team is like that.
 *
 * @param roster without the newcomer, or with them on no team
 * @param chances of the teams by the one that the newcomer joins, where the pool knows what fewer players mean
 * @throws Unsolvable see `placeArrival`
 */
export function joined(
  roster: Roster,
  newcomer: Newcomer,
  policy: Policy,
  chances?: Judge['chances'],
): Placement {
  return placeArrival(roster, newcomer, policy.placement, {
    strengths: (each) => strengthsOf(each, worthBy(each, policy)),
    takesFrom: (each) => overfull(each, policy),
    ...(chances ? { chances } : {}),
  });
}

/**
 * The teams after a departure, by a policy, and the settings of its levers.
 *
 * @param roster before the departure
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
 * The advantage of a team by a policy, and the settings of its levers.
 *
 * @throws Unsolvable see `advantage`
 */
export function handicap(roster: Roster, policy: Policy): Advantage {
  return advantage(roster, policy.levers, sharesBy(roster, policy));
}
