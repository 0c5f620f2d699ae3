import { UnknownPool, type RatingPool } from '@muster/domain';

type Played = Pick<RatingPool, 'name' | 'gameMode' | 'modifiers'>;

/** How many game types or sets of mutators a sentence names. */
const mostNamed = 8;

/** Names of games and mutators are compared as game servers do: capital or small letters are the same. */
const folded = (name: string): string => name.toLowerCase();

/**
 * The pool for a game type with some mutators.
 *
 * 1. A mutator affects play when any pool has it among its modifiers; others (an anti-cheat, a hud) are cosmetic and do not count.
 * 2. The pool is the one of that game mode whose modifiers are the mutators that count, all of them and no more.
 *
 * A set that no pool is for is refused and not taken for a smaller one: weights of another game would be wrong in silence.
 *
 * @throws UnknownPool that names what there is
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
        'which one is meant is for an operator to settle',
      { game: gameType, mutators: spelled },
    );
  return only;
}

function noGame(pools: readonly Played[], gameType: string): string {
  const games = [...new Set(pools.flatMap(({ gameMode }) => gameMode ?? []))];
  return games.length === 0
    ? `no rating pool is for a game type yet; an operator makes one: muster pool create NAME --mode ${gameType}`
    : `no rating pool is for the game type ${gameType}; there is ${listed(games)}`;
}

function playedAs(gameType: string, modifiers: readonly string[]): string {
  return modifiers.length === 0
    ? `${gameType} without mutators`
    : `${gameType} with ${[...modifiers].toSorted().join(' and ')}`;
}

function listed(names: readonly string[]): string {
  const more = names.length - mostNamed;
  return `${names.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function sameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((each) => b.has(each));
}
