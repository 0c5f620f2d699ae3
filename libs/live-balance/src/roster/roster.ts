import { grouped, Unsolvable, type TeamParam } from '@muster/domain';

/** A player (or bot) on a running server. */
export interface RosterPlayer {
  readonly playerId: string;
  /** Numbered from 0; null: on none (spectator, unassigned). */
  readonly team: number | null;
  /** From the pool or from the server; any finite number. On either side, for a player who counts more on one. */
  readonly rating: number;
  /**
   * Half of what the player counts more on the side of the first of two teams than on that of the second, in rating points;
   * 0 when absent. So they count `rating + lead` on the first team and `rating - lead` on the second, and wherever they
   * play, the first team's lead is larger by `lead`.
   */
  readonly lead?: number;
  /** Score of this match. 0 when absent. */
  readonly points?: number;
  /** Players on the server with the same id form a party; a single player with it is in no party. */
  readonly partyId?: string;
  /** False while dead. Rules that wait for a death need it. */
  readonly alive?: boolean;
  /** Was moved for balance in this match already. */
  readonly moved?: boolean;
  readonly bot?: boolean;
  /** Only watches, whatever `team` says. */
  readonly spectator?: boolean;
}

/** The number of players that a map is made for, both bounds included. */
export interface MapRange {
  readonly min: number;
  readonly max: number;
}

/** The players on a running server, and the facts of its match. */
export interface Roster {
  /** Number of teams; 1 (or 0) is a game without teams. */
  readonly teams: number;
  /** In the order of arrival, as far as it is known: the last player to arrive is not swapped for balance. */
  readonly players: readonly RosterPlayer[];
  readonly map?: { readonly idealPlayers?: MapRange };
  readonly mode?: string;
  /** Seconds until the match ends; null: open-ended. */
  readonly secondsLeft?: number | null;
  /** Mean rating of all bots, on the server or not. */
  readonly meanBot?: number;
  /** True for a ranked match that the coordinator formed; see `Policy.ranked`. */
  readonly ranked?: boolean;
  /** Team names for players. "Team 1", "Team 2" … when absent. */
  readonly teamNames?: readonly string[];
}

/** One player's change of team. */
export interface Move {
  readonly playerId: string;
  /** null: they were on none. */
  readonly from: number | null;
  readonly to: number;
}

/** A player on a team. */
export interface TeamPlayer extends RosterPlayer {
  readonly team: number;
}

/** @throws Unsolvable when a number is invalid, a player is named twice, or a team is unknown */
export function checkRoster({ teams, players, map, secondsLeft, meanBot }: Roster): void {
  if (!Number.isSafeInteger(teams) || teams < 0 || teams > 100)
    throw new Unsolvable(`A roster of ${teams} teams is none; give a whole number from 0 to 100.`, { teams });
  const seen = new Set<string>();
  for (const { playerId, team, rating, points = 0, lead = 0 } of players) {
    if (seen.has(playerId))
      throw new Unsolvable(`${playerId} is named twice; name each player once.`, { playerId });
    seen.add(playerId);
    if (![rating, lead].every(isPoints) || !Number.isFinite(points))
      throw new Unsolvable(
        `Rating, lead and points of ${playerId} have to be finite numbers, rating and lead up to 1e12.`,
        { playerId },
      );
    if (team !== null && !(Number.isSafeInteger(team) && team >= 0 && team < Math.max(1, teams)))
      throw new Unsolvable(
        `${playerId} is on team ${team}; teams are numbered from 0 to ${Math.max(1, teams) - 1}, null is none.`,
        { playerId, team },
      );
  }
  const range = map?.idealPlayers;
  if (range && !(isCount(range.min) && isCount(range.max) && range.min <= range.max))
    throw new Unsolvable('idealPlayers of the map has to be whole numbers with 0 ≤ min ≤ max.', { range });
  if (secondsLeft !== undefined && secondsLeft !== null && Number.isNaN(secondsLeft))
    throw new Unsolvable('secondsLeft is not a number; give null for an open-ended match.', {});
  if (meanBot !== undefined && !Number.isFinite(meanBot))
    throw new Unsolvable('meanBot has to be a finite number.', { meanBot });
}

const isPoints = (value: number): boolean => Number.isFinite(value) && Math.abs(value) <= 1e12;

/** A whole number of at least 0. */
export function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

export function isPlaying(player: RosterPlayer): player is TeamPlayer {
  return player.team !== null && !player.spectator;
}

/** The players on a team, bots included, in the order of the roster. */
export function playing(roster: Roster): TeamPlayer[] {
  return roster.players.filter(isPlaying);
}

/** A number for each team, computed from its players. */
export function byTeam(roster: Roster, valueOf: (player: TeamPlayer) => number): number[] {
  const totals = Array.from({ length: roster.teams }, () => 0);
  for (const player of playing(roster)) {
    if (player.team < totals.length) totals[player.team]! += valueOf(player);
  }
  return totals;
}

/** Players and bots on each team. */
export const sizesOf = (roster: Roster): number[] => byTeam(roster, () => 1);

/** Humans on each team. */
export const humansOf = (roster: Roster): number[] => byTeam(roster, ({ bot }) => (bot ? 0 : 1));

/** The player with what they count on their team's side as the rating. */
export function onSide<Player extends RosterPlayer>(
  player: Player,
  { teams }: Pick<Roster, 'teams'>,
): Player {
  const { lead = 0, rating, team } = player;
  if (lead === 0 || teams !== 2 || team === null) return player;
  return { ...player, rating: team === 0 ? rating + lead : rating - lead };
}

/**
 * Each team's strength: the sum of its players' worth on its side. A move from one of two teams to the other changes their
 * difference by twice the worth of the rating alone, since the player's part of the lead stays.
 *
 * @param worth of a player by the rating, whichever the side
 */
export function strengthsOf(roster: Roster, worth: (player: TeamPlayer) => number): number[] {
  return byTeam(roster, (player) => worth(onSide(player, roster)));
}

/** Each team's sum of ratings on its side, bots included. */
export const sumsOf = (roster: Roster): number[] => strengthsOf(roster, ({ rating }) => rating);

/**
 * What the first of two teams leads by because of the sides, whichever of these players are on it: as a bot of that team, and
 * one of the other that weighs nothing, for solvers that know players only. None where no side counts more.
 */
export function headStart({ teams }: Pick<Roster, 'teams'>, players: readonly RosterPlayer[]): TeamPlayer[] {
  const ahead = teams === 2 ? players.reduce((sum, { lead = 0 }) => sum + lead, 0) : 0;
  if (ahead === 0) return [];
  return [Math.max(0, ahead), Math.max(0, -ahead)].map((rating, team) => ({
    // Ids of players contain no line break.
    playerId: `head start\n${team}`,
    team,
    rating,
    bot: true,
  }));
}

/** The roster after the moves. Unknown players are skipped. */
export function afterMoves(roster: Roster, moves: readonly Move[]): Roster {
  const to = new Map(moves.map((move) => [move.playerId, move.to]));
  return {
    ...roster,
    players: roster.players.map((player) => {
      const team = to.get(player.playerId);
      return team === undefined ? player : { ...player, team };
    }),
  };
}

/** The members of parties of two and more. */
export function partiesOf<T extends Pick<RosterPlayer, 'partyId'>>(players: readonly T[]): Map<string, T[]> {
  const all = grouped(
    players.filter(({ partyId }) => partyId !== undefined),
    ({ partyId }) => partyId!,
  );
  return new Map([...all].filter(([, members]) => members.length > 1));
}

/** Sizes of the parties of two and more on the server, including spectators. */
export function partySizes(roster: Roster): ReadonlyMap<string, number> {
  return new Map([...partiesOf(roster.players)].map(([partyId, members]) => [partyId, members.length]));
}

/**
 * Players who may be moved from a team at all: no bot, not in a party, not moved in this match before.
 *
 * @param movedBefore ids of players who were moved, in addition to those that the roster marks
 */
export function movableFrom(
  roster: Roster,
  from: number,
  movedBefore: ReadonlySet<string> = new Set(),
): TeamPlayer[] {
  const parties = partySizes(roster);
  return playing(roster).filter(
    ({ playerId, team, bot, moved, partyId }) =>
      team === from &&
      !bot &&
      !moved &&
      !movedBefore.has(playerId) &&
      (partyId === undefined || !parties.has(partyId)),
  );
}

/** Compares texts by code units, equally on every machine. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A team as a message parameter. */
export function teamParam({ teamNames }: Pick<Roster, 'teamNames'>, team: number): TeamParam {
  return teamNames?.[team] ?? team;
}

/** Index of the largest value; of equal ones the first. */
export function largest(values: readonly number[]): number {
  let at = 0;
  values.forEach((value, i) => {
    if (value > values[at]!) at = i;
  });
  return at;
}

/** Index of the smallest value; of equal ones the first. */
export function smallest(values: readonly number[]): number {
  return largest(values.map((value) => -value));
}

/** Largest value less the smallest; 0 of none. */
export function spread(values: readonly number[]): number {
  return values.length === 0 ? 0 : Math.max(...values) - Math.min(...values);
}
