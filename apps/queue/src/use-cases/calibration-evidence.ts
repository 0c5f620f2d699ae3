import type { MatchRated } from '@muster/contracts';
import type { Search } from '@muster/skill';

/** What a match says of one player's level, as `searchAfter` takes it. */
export interface Evidence {
  readonly outcome: 0 | 0.5 | 1;
  /** The level at which the match would have been even. */
  readonly level: number;
  /** Levels that one unit of log-odds was worth in this match. */
  readonly scale: number;
}

/** The spread of a logistic curve that is as wide as a normal one of spread 1, nearly. */
const logistic = 1.7;

/**
 * What a rated match says of one of its newcomers.
 *
 * The level that would have made it even: in a duel the opponent's; in a match of n a side what the other team has in sum and
 * the teammates have not, n · opponents − (n − 1) · teammates.
 *
 * The scale: n performances a side add up, each with its own noise, so the difference of the sums is √n times as noisy as in
 * a duel. And whoever is a newcomer, too, has a level that is hardly known: that doubt is noise, and adds to it. It is the
 * whole spread of newcomers before the first match; a match of n a side tells spread² / (4 · scale² · n) of it, in units of what
 * was known, as `conclude` would count it.
 *
 * The outcome: of many teams, whoever came before more than half of the others has won, and before fewer has lost.
 */
export function evidenceOf({ players }: MatchRated, playerId: string, search: Search): Evidence | null {
  const own = players.find((player) => player.playerId === playerId);
  if (!own) return null;
  const { opponents, teammates, outcome } = own;
  const n = Math.max(1, own.teamSize);
  const mates = n - 1;
  const spread = (search.to - search.from) / 6;
  const told = (spread / (2 * search.scale)) ** 2 / n;
  const doubts = players.reduce(
    // The match itself is counted in `matches`, and was not known before it.
    (sum, other) => (other === own ? sum : sum + 1 / (1 + told * Math.max(0, other.matches - 1))),
    0,
  );
  const duelNoise = logistic * search.scale;
  return {
    outcome: outcome > 0.5 ? 1 : outcome < 0.5 ? 0 : 0.5,
    level: teammates === null ? opponents : n * opponents - mates * teammates,
    scale: search.scale * Math.sqrt(n + doubts * (spread / duelNoise) ** 2),
  };
}
