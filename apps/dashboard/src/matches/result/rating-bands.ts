import type { Match } from '../match.js';

/** How the rating of a player changed, with what is needed to draw it. */
export interface RatingChange {
  readonly playerId: string;
  readonly name: string | undefined;
  readonly team: number;
  readonly before: Belief;
  readonly after: Belief;
  /** Of the mean. */
  readonly change: number;
}
interface Belief {
  readonly mu: number;
  readonly sigma: number;
}

/** Half of a band: about 95 % of what is believed lie in it. */
export const bandSigmas = 2;

/** The players whose rating the match changed; none before it is rated. */
export const changesOf = ({ players }: Pick<Match, 'players'>): readonly RatingChange[] =>
  players.flatMap(({ playerId, name, team, before, after }) =>
    before && after ? [{ playerId, name, team, before, after, change: after.mu - before.mu }] : [],
  );

/** The range that holds all bands. */
export function rangeOf(changes: readonly RatingChange[]): readonly [low: number, high: number] {
  const ends = (sign: number): number[] =>
    changes.flatMap(({ before, after }) =>
      [before, after].map(({ mu, sigma }) => mu + sign * bandSigmas * sigma),
    );
  const [low, high] = [Math.min(...ends(-1)), Math.max(...ends(1))];
  return high > low ? [low, high] : [low - 1, high + 1];
}

/** Where a band is drawn in a range, as shares of its width. */
export function placeOf(
  { mu, sigma }: Belief,
  [low, high]: readonly [low: number, high: number],
): { readonly from: number; readonly at: number; readonly to: number } {
  const share = (value: number): number => (value - low) / (high - low);
  return { from: share(mu - bandSigmas * sigma), at: share(mu), to: share(mu + bandSigmas * sigma) };
}
