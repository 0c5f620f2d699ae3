import type { BalanceRuleOf } from '@muster/domain';
import { playing, type Roster, type TeamPlayer } from './roster.js';

/** `1.2.1` uses past ratings alone; `1.2.2` also the course of the match. */
export type PowerVersion = BalanceRuleOf<'powers'>['version'];

/** The power of presence alone: without it 3 against 8 would count as fair. */
const presence = 5;

/**
 * The power of every player (L6): 5 plus the rank by rating (the source's pubPower) among all who play, lowest first from 0
 * on; from 1.2.2 on the mean of that and the rank by points, which is 0 for players without points. Equals share their rank:
 * each has the mean of the places that they take together, so that names give no advantage, and the ranks keep their sum.
 * Bots on a team have a power, too: they take up a place. Sides do not count: ranks have no unit in which a lead could be
 * added, and the power of a player has to be the same on either team for a move to have the effect that the rule expects.
 *
 * Source: the autobalance of Sector's Edge. Its code for points raises a variable that does not exist; read as meant, it
 * raises the counter after every player with points. It orders equals by their position in its list, which makes one team
 * of equals much stronger than the other.
 */
export function powers(roster: Roster, version: PowerVersion): ReadonlyMap<string, number> {
  const players = playing(roster);
  const rated = ranks(players, ({ rating }) => rating);
  const scoring = ranks(
    players.filter(({ points = 0 }) => points > 0),
    ({ points = 0 }) => points,
  );
  return new Map(
    players.map(({ playerId }) => {
      const rank = rated.get(playerId)!;
      const both = (rank + (scoring.get(playerId) ?? 0)) / 2;
      return [playerId, presence + (version === '1.2.1' ? rank : both)];
    }),
  );
}

/** Places from 0 on, lowest value first; equals each have the mean of theirs. */
function ranks(players: readonly TeamPlayer[], valueOf: (player: TeamPlayer) => number): Map<string, number> {
  const order = players.toSorted((a, b) => valueOf(a) - valueOf(b));
  const places = new Map<string, number>();
  for (let from = 0; from < order.length;) {
    let to = from + 1;
    while (to < order.length && valueOf(order[to]!) === valueOf(order[from]!)) to++;
    for (const { playerId } of order.slice(from, to)) places.set(playerId, (from + to - 1) / 2);
    from = to;
  }
  return places;
}
