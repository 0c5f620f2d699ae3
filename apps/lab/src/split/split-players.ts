import { split, type SplitAnswer, type SplitOptions } from '@muster/solver';
import { problemOf, type MapRules } from './map-rules.js';
import type { ListedPlayer } from './player-lines.js';

/** Options of `muster split`. */
export interface SplitCommandOptions extends MapRules {
  /** The number of best splits to draw from. */
  readonly best: number;
  readonly seed: number;
  readonly power: number;
}

export interface DrawnTeam {
  readonly players: readonly ListedPlayer[];
  readonly bots: number;
  readonly sum: number;
}

/** The drawn split, with the names of the list. */
export interface DrawnSplit {
  readonly teams: readonly DrawnTeam[];
  readonly ratio: number;
  readonly answer: SplitAnswer;
}

/**
 * Splits the listed players by the rules of the map, and draws one of the best splits.
 *
 * @throws Error with a user-facing message if there is none
 */
export function splitPlayers(
  players: readonly ListedPlayer[],
  options: SplitCommandOptions,
  deadline?: SplitOptions['deadline'],
): DrawnSplit {
  const { min, max, teams, best, seed, power } = options;
  if (min > max)
    throw new Error(`--min ${min} is above --max ${max}; give the smaller number of players as --min.`);
  if (players.length < teams)
    throw new Error(
      `${teams} teams need at least ${teams} players, and the list has ${players.length}; add players, one per line.`,
    );
  const answer = split(problemOf(players, options), { best, seed, power, deadline });
  if (answer.outcome === 'refused') throw new Error(`These players cannot be split: ${answer.message}`);
  const drawn = answer.solutions[answer.chosen];
  if (!drawn) throw new Error('the solver drew a split that it did not name');
  return {
    teams: drawn.teams.map((ids, t) => ({
      // In the order of the list.
      players: players.filter((_, i) => ids.includes(String(i))),
      bots: drawn.bots[t] ?? 0,
      sum: drawn.sums[t] ?? 0,
    })),
    ratio: drawn.ratio,
    answer,
  };
}
