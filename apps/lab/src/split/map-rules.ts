import type { SplitProblem } from '@muster/solver';
import type { ListedPlayer } from './player-lines.js';

/** The rules of the map. */
export interface MapRules {
  /** The recommended number of players, bots included. */
  readonly min: number;
  readonly max: number;
  /** The target number of players, if the map allows it. */
  readonly target: number;
  readonly teams: number;
  /** The mean weight of a bot. */
  readonly bot: number;
}

/** The size of the largest game. */
const maxInGame = 32;

/**
 * The maximum number of players on one team, without bots: its share of the largest game, and at most 9/16 of the
 * players, but always enough that all have a place.
 */
export function maxOnTeam(players: number, teams: number): number {
  const cap = Math.min(Math.floor(maxInGame / teams), Math.floor((18 * players) / maxInGame));
  return Math.max(cap, Math.ceil(players / teams));
}

/**
 * The maximum difference in size of two teams such that none exceeds `most`. A team of m leaves the others at least m
 * minus the difference, so m is at most (players + (teams − 1) · difference) / teams.
 */
export function largestSizeDifference(players: number, teams: number, most: number): number {
  return Math.ceil((teams * (most + 1) - players) / (teams - 1)) - 1;
}

/** Sizes that differ by at most one, larger first. */
export function evenSizes(players: number, teams: number): number[] {
  return Array.from({ length: teams }, (_, t) => Math.floor(players / teams) + (t < players % teams ? 1 : 0));
}

/** The solver's problem. A player's id is the position in the list, because names may repeat. */
export function problemOf(players: readonly ListedPlayer[], rules: MapRules): SplitProblem {
  const { min, max, target, teams, bot } = rules;
  const count = players.length;
  return {
    players: players.map(({ weight }, i) => ({ id: String(i), weight })),
    teamSizes: evenSizes(count, teams),
    bots: {
      weight: bot,
      fillTo: Math.min(Math.max(target, min), max),
      maxSizeDifference: largestSizeDifference(count, teams, maxOnTeam(count, teams)),
    },
  };
}
