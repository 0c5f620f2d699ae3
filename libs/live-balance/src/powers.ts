import { byTeam, compareText, playing, type Roster, type TeamPlayer } from './roster.js';

/** `1.2.1` knows the past alone; `1.2.2` also how the match goes. */
export type PowerVersion = '1.2.1' | '1.2.2';

/** What everybody counts for by being there: without it 3 against 8 would pass for fair. */
export const presence = 5;

/** What a player counts for in Sector's Edge. */
export interface Power {
  readonly playerId: string;
  readonly team: number;
  /** Rank by rating (the source's pubPower) among all who play, lowest first, from 5 on. */
  readonly sortedPower: number;
  /** 5 and the number of lower-scoring players with points above 0; 5 for everybody who has none. */
  readonly sortedPointsPower: number;
  /** `sortedPower` (1.2.1), or the mean of both (1.2.2). */
  readonly power: number;
}

/**
 * Everybody's power (L6), ties by id. Bots on a team have one, too: they take up a place.
 *
 * Source: the autobalance of Sector's Edge. Its code for points raises a variable that does not exist; read as meant, it
 * raises the counter after every player with points.
 */
export function powers(roster: Roster, version: PowerVersion): Power[] {
  const players = playing(roster);
  const rated = ranks(players, ({ rating }) => rating);
  const scoring = ranks(
    players.filter(({ points = 0 }) => points > 0),
    ({ points = 0 }) => points,
  );
  return players.map(({ playerId, team }) => {
    const sortedPower = presence + rated.get(playerId)!;
    const sortedPointsPower = presence + (scoring.get(playerId) ?? 0);
    const power = version === '1.2.1' ? sortedPower : (sortedPower + sortedPointsPower) / 2;
    return { playerId, team, sortedPower, sortedPointsPower, power };
  });
}

function ranks(players: readonly TeamPlayer[], valueOf: (player: TeamPlayer) => number): Map<string, number> {
  return new Map(
    players
      .toSorted((a, b) => valueOf(a) - valueOf(b) || compareText(a.playerId, b.playerId))
      .map(({ playerId }, rank) => [playerId, rank]),
  );
}

/** Each team's sum of powers. */
export function teamPowers(roster: Roster, list: readonly Power[]): number[] {
  const powerOf = new Map(list.map(({ playerId, power }) => [playerId, power]));
  return byTeam(roster, ({ playerId }) => powerOf.get(playerId) ?? 0);
}
