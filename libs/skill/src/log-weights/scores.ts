import type { Contest, Need, PlayerFacts, Ranks } from '../model.js';

/** A score from 0 to 1 for each player in a match; about ½ on average. */
export interface LogMethod {
  readonly needs: readonly Need[];
  /** The facts that must be recorded for a player, as text. */
  readonly wanted: string;
  has(facts: PlayerFacts): boolean;
  /** In the shape of `contest.teams`. Absent players may have any score. */
  scores(contest: Contest, ranks: Ranks): number[][];
}

/** The share of the other teams that the player's team beat; a tie is half. */
export const byResult: LogMethod = {
  needs: [],
  wanted: 'nothing but the result',
  has: () => true,
  scores({ teams }, ranks) {
    const shareOf = sharesBelow(ranks.map((rank) => -rank));
    return teams.map((team, t) => team.map(() => shareOf(-(ranks[t] ?? 1))));
  },
};

/** The share of all scoring during a player's presence that their own team did; ½ when nobody scored. */
export const byScores: LogMethod = {
  needs: ['team-scores'],
  wanted: 'the scores of their own team and of the others while they played (scoredFor, scoredAgainst)',
  has: ({ scoredFor, scoredAgainst }) => isAmount(scoredFor) && isAmount(scoredAgainst),
  scores: ({ facts }) =>
    (facts ?? []).map((team) =>
      team.map(({ scoredFor = 0, scoredAgainst = 0 }) => {
        // Halved first, so that no sum overflows.
        const all = scoredFor / 2 + scoredAgainst / 2;
        return all > 0 ? scoredFor / 2 / all : 0.5;
      }),
    ),
};

/** The share of the others in the match who had fewer kills; as many is half. */
export const byKills: LogMethod = {
  needs: ['kills'],
  wanted: 'their kills',
  has: ({ kills }) => isAmount(kills),
  scores({ facts = [], weights }) {
    const present = facts.flatMap((team, t) =>
      team.flatMap(({ kills = 0 }, p) => (weights?.[t]?.[p] === 0 ? [] : [kills])),
    );
    const shareOf = sharesBelow(present);
    return facts.map((team) => team.map(({ kills = 0 }) => shareOf(kills)));
  },
};

function isAmount(value: number | undefined): boolean {
  return value !== undefined && value >= 0 && value < Infinity;
}

/** For each of these values the share of the others below it, equals counting half; ½ when there are no others. */
function sharesBelow(values: readonly number[]): (value: number) => number {
  const sorted = [...values].sort((a, b) => a - b);
  const shares = new Map<number, number>();
  for (let from = 0; from < sorted.length;) {
    const value = sorted[from] ?? 0;
    let to = from;
    while (to < sorted.length && sorted[to] === value) to++;
    const others = sorted.length - 1;
    shares.set(value, others === 0 ? 0.5 : (from + (to - from - 1) / 2) / others);
    from = to;
  }
  return (value) => shares.get(value) ?? 0.5;
}
