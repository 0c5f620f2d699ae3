/** What a player's skill may depend on: the team's side, the map, the venue, or the player's role. */
export const aspects = ['side', 'map', 'venue', 'role'] as const;

export type Aspect = (typeof aspects)[number];

/** A player's skill under one aspect, as a difference from the common skill. */
export interface AspectSkill {
  /** The aspect and its value, such as `side:alien`. */
  readonly name: string;
  /** In log-odds of a duel. */
  readonly mean: number;
  /** In log-odds², above 0. */
  readonly variance: number;
  /** Rated matches under the aspect. */
  readonly matches: number;
}

/** Names by aspect and value, and aspects by name; emptied when there are too many. */
const known = new Map<Aspect, Map<string, string>>(aspects.map((aspect) => [aspect, new Map()]));
const aspectsOf = new Map<string, Aspect>();
const mostKnown = 10_000;

/**
 * The name of an aspect's value. Equal names are one string: a rebuild compares names by the million, and keeps them for all
 * players.
 */
export function aspectName(aspect: Aspect, value: string): string {
  const names = known.get(aspect);
  const before = names?.get(value);
  if (before !== undefined) return before;
  // As a key of an object it is the engine's own copy, which compares with another by address, not letter by letter.
  const [name = ''] = Object.keys({ [`${aspect}:${value}`]: true });
  if (names && names.size >= mostKnown) names.clear();
  names?.set(value, name);
  return name;
}

/** The aspect of a name; undefined for any other text. */
export function aspectOf(name: string): Aspect | undefined {
  const before = aspectsOf.get(name);
  if (before !== undefined) return before;
  const found = aspects.find((aspect) => name.startsWith(`${aspect}:`));
  if (found === undefined) return undefined;
  if (aspectsOf.size >= mostKnown) aspectsOf.clear();
  aspectsOf.set(name, found);
  return found;
}

/** A match that is to be formed, as far as it has aspects. */
export interface MatchAspects {
  /** Players on each team, at least 1. */
  readonly teamSize: number;
  readonly map?: string | undefined;
  /** The side of each team; empty where teams have none. */
  readonly sides: readonly string[];
  /** The roles that players may have. */
  readonly roles: readonly string[];
}

/** What a player counts in a match beside the rating, in rating points. */
export interface AspectWorth {
  readonly map: number;
  /** On each side, in the order of `MatchAspects`. */
  readonly sides: readonly number[];
  /** In each role, in the order of `MatchAspects`. */
  readonly roles: readonly number[];
}
