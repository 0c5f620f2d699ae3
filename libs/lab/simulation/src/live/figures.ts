/** The figures of one match. */
export interface MatchFigures {
  /** Share of its time in which both teams' chances were from 0.4 to 0.6. */
  readonly fairShare: number;
  /** Share of its time in which a team's chance was below 0.2. */
  readonly stompShare: number;
  /** Mean over its time of the distance of a team's chance from ½. */
  readonly unfairness: number;
  /** Moves made; a swap is two. */
  readonly moves: number;
  /** Players who were moved or swapped, each counted once. */
  readonly playersMoved: number;
  /** Moves of players who were alive. */
  readonly alive: number;
  readonly left: number;
  /** Departures because of a move. */
  readonly leftMoved: number;
  /** Players who found the server full. */
  readonly refused: number;
}

/** The figures of many matches: means. */
export interface LiveFigures {
  readonly matches: number;
  readonly fairShare: number;
  readonly stompShare: number;
  readonly unfairness: number;
  readonly movesPerMatch: number;
  readonly playersMovedPerMatch: number;
  readonly movedAlivePerMatch: number;
  readonly leftPerMatch: number;
  readonly leftMovedPerMatch: number;
  readonly refusedPerMatch: number;
}

/** @param matches at least one */
export function meanOf(matches: readonly MatchFigures[]): LiveFigures {
  const mean = (of: (match: MatchFigures) => number): number =>
    matches.reduce((sum, match) => sum + of(match), 0) / matches.length;
  return {
    matches: matches.length,
    fairShare: mean((match) => match.fairShare),
    stompShare: mean((match) => match.stompShare),
    unfairness: mean((match) => match.unfairness),
    movesPerMatch: mean((match) => match.moves),
    playersMovedPerMatch: mean((match) => match.playersMoved),
    movedAlivePerMatch: mean((match) => match.alive),
    leftPerMatch: mean((match) => match.left),
    leftMovedPerMatch: mean((match) => match.leftMoved),
    refusedPerMatch: mean((match) => match.refused),
  };
}

/**
 * Standard error of the mean difference of the fair share between two policies that played the same matches.
 *
 * @param one, other of equal length, at least two, in the same order
 */
export function standardErrorOfDifference(
  one: readonly MatchFigures[],
  other: readonly MatchFigures[],
): number {
  const differences = one.map(({ fairShare }, i) => fairShare - (other[i]?.fairShare ?? NaN));
  const n = differences.length;
  const mean = differences.reduce((sum, each) => sum + each, 0) / n;
  return Math.sqrt(differences.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (n * (n - 1)));
}
