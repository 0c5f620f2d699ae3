import type { SplitProblem } from '@muster/solver';
import type { ListedPlayer } from './player-lines.js';

/** What is known of the game to come. */
export interface MapRules {
  /** The players, bots included, that the map is recommended for. */
  readonly min: number;
  readonly max: number;
  /** How many there should be, if the map allows. */
  readonly target: number;
  readonly teams: number;
  /** The mean weight of a bot. */
  readonly bot: number;
}

/** The largest game there is. */
const mostInGame = 32;

/**
 * How many players one team may have, bots apart: its share of the largest game, and no more than 9/16 of the players; but
 * always enough that all have a place.
 */
export function mostOnTeam(players: number, teams: number): number {
  const cap = Math.min(Math.floor(mostInGame / teams), Math.floor((18 * players) / mostInGame));
  return Math.max(cap, Math.ceil(players / teams));
}

/**
 * The most that two teams may differ in size such that none comes to have more than `most`. A team of m leaves the others
 * at least m less the difference, so m is at most (players + (teams − 1) · difference) / teams.
 */
export function largestSizeDifference(players: number, teams: number, most: number): number {
  return Math.ceil((teams * (most + 1) - players) / (teams - 1)) - 1;
}

/** Sizes that differ by one at most, the larger first. */
export function evenSizes(players: number, teams: number): number[] {
  return Array.from({ length: teams }, (_, t) => Math.floor(players / teams) + (t < players % teams ? 1 : 0));
}

/** The problem that the solver is given. A player's id is their place in the list, for two may have the same name. */
export function problemOf(players: readonly ListedPlayer[], rules: MapRules): SplitProblem {
  const { min, max, target, teams, bot } = rules;
  const count = players.length;
  return {
    players: players.map(({ weight }, i) => ({ id: String(i), weight })),
    teamSizes: evenSizes(count, teams),
    bots: {
      weight: bot,
      fillTo: Math.min(Math.max(target, min), max),
      maxSizeDifference: largestSizeDifference(count, teams, mostOnTeam(count, teams)),
    },
  };
}
