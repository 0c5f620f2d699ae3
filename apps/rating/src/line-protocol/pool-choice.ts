import { UnknownPool, type RatingPool } from '@muster/domain';

type Played = Pick<RatingPool, 'name' | 'gameMode' | 'modifiers'>;

/** The maximum number of game types or mutator sets in an error. */
const maxNamed = 8;

/** Names of games and mutators are case-insensitive, as in game servers. */
const folded = (name: string): string => name.toLowerCase();

/**
 * The pool for a game type with mutators.
 *
 * 1. A mutator affects play if any pool has it among its modifiers; others (an anti-cheat, a HUD) are cosmetic and are
 * ignored.
 * 2. The pool has that game mode, and its modifiers are exactly the remaining mutators.
 *
 * A set without a pool is rejected, not mapped to a smaller set: the weights of another game would be silently wrong.
 *
 * @throws UnknownPool with the existing choices
 */
export function poolFor<P extends Played>(
  pools: readonly P[],
  gameType: string,
  mutators: readonly string[],
): P {
  const ofGame = pools.filter(({ gameMode }) => gameMode !== null && folded(gameMode) === folded(gameType));
  if (ofGame.length === 0) throw new UnknownPool(noGame(pools, gameType), { game: gameType });
  const affecting = new Map(pools.flatMap(({ modifiers }) => modifiers.map((name) => [folded(name), name])));
  const counted = new Set(mutators.map(folded).filter((name) => affecting.has(name)));
  const spelled = [...counted].map((name) => affecting.get(name) ?? name);
  const found = ofGame.filter(({ modifiers }) => sameSet(new Set(modifiers.map(folded)), counted));
  const [only] = found;
  if (only === undefined)
    throw new UnknownPool(
      `no rating pool is for ${playedAs(gameType, spelled)}; there is ${listed(
        ofGame.map(({ gameMode, modifiers }) => playedAs(gameMode ?? gameType, modifiers)),
      )}`,
      { game: gameType, mutators: spelled },
    );
  if (found.length > 1)
    throw new UnknownPool(
      `the rating pools ${listed(found.map(({ name }) => name))} are all for ${playedAs(gameType, only.modifiers)}; ` +
        'an operator must resolve the ambiguity',
      { game: gameType, mutators: spelled },
    );
  return only;
}

function noGame(pools: readonly Played[], gameType: string): string {
  const games = [...new Set(pools.flatMap(({ gameMode }) => gameMode ?? []))];
  return games.length === 0
    ? `no rating pool is for a game type yet; an operator makes one: muster pools create NAME --mode ${gameType}`
    : `no rating pool is for the game type ${gameType}; there is ${listed(games)}`;
}

function playedAs(gameType: string, modifiers: readonly string[]): string {
  return modifiers.length === 0
    ? `${gameType} without mutators`
    : `${gameType} with ${[...modifiers].toSorted().join(' and ')}`;
}

function listed(names: readonly string[]): string {
  const more = names.length - maxNamed;
  return `${names.slice(0, maxNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function sameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((each) => b.has(each));
}
