import { Unsolvable, type Division, type SkillBelief } from '@muster/domain';

/**
 * Checks a list of divisions, lowest first.
 *
 * @param margin how far beyond a border a player must be to cross it; at most half of the narrowest division, so that no
 *   value is in the margins of two borders
 * @returns the same list
 * @throws Unsolvable with the first invalid division
 */
export function readDivisions(divisions: readonly Division[], margin = 0): readonly Division[] {
  const [first] = divisions;
  if (!first) throw new Unsolvable('There must be at least one division.');
  if (first.from !== null)
    throw new Unsolvable(`The first division, ${first.name}, has no lower bound; its "from" must be null.`);
  if (!(margin >= 0 && margin < Infinity))
    throw new Unsolvable(`The margin at a border must be finite and not negative; this is ${margin}.`);
  const names = new Set<string>();
  let below: number | null = null;
  for (const { name, from } of divisions) {
    if (name.trim() === '') throw new Unsolvable('Every division has a name.');
    if (names.has(name)) throw new Unsolvable(`There are two divisions named ${name}.`);
    names.add(name);
    if (names.size === 1) continue;
    if (from === null || !Number.isFinite(from))
      throw new Unsolvable(`Division ${name} must begin at a number; it begins at ${from}.`);
    if (below !== null && !(from > below))
      throw new Unsolvable(
        `Division ${name} begins at ${from}, which is not above ${below}, where the one before does.`,
      );
    if (below !== null && 2 * margin > from - below)
      throw new Unsolvable(
        `A margin of ${margin} is too wide for the division below ${name}; at most half of ${from - below} is.`,
      );
    below = from;
  }
  return divisions;
}

/** The division that a value belongs to. @throws Unsolvable when the value is not a number, or there are no divisions */
export function divisionOf(divisions: readonly Division[], value: number): Division {
  return divisionReached(divisions, value, 0);
}

/**
 * The division of a player who was in `current`. It rises once the value is `margin` above a border, falls once it is more
 * than
 * `margin` below, and crosses several borders at once. So a value that varies within one margin of a border changes the
 * division at most once.
 *
 * @param current name of the division so far; null or an unknown name uses the value alone
 * @throws Unsolvable as `divisionOf`
 */
export function divisionAfter(
  divisions: readonly Division[],
  current: string | null,
  value: number,
  margin: number,
): Division {
  const at = divisions.find(({ name }) => name === current);
  if (!at) return divisionOf(divisions, value);
  const risen = divisionReached(divisions, value, margin);
  if (divisions.indexOf(risen) > divisions.indexOf(at)) return risen;
  const kept = divisionReached(divisions, value, -margin);
  return divisions.indexOf(kept) < divisions.indexOf(at) ? kept : at;
}

/** Seven divisions about a newcomer's mean, narrower in the middle, where most players are. */
export function defaultDivisions({ mu, sigma }: SkillBelief): readonly Division[] {
  const at = (sigmas: number): number => mu + sigmas * sigma;
  return readDivisions([
    { name: 'Bronze', from: null },
    { name: 'Silver', from: at(-1.25) },
    { name: 'Gold', from: at(-0.5) },
    { name: 'Platinum', from: at(0) },
    { name: 'Diamond', from: at(0.5) },
    { name: 'Master', from: at(1.25) },
    { name: 'Grandmaster', from: at(2) },
  ]);
}

/** The highest division whose border is at least `beyond` below the value. */
function divisionReached(divisions: readonly Division[], value: number, beyond: number): Division {
  if (!Number.isFinite(value)) throw new Unsolvable(`There is no division for ${value}.`);
  const reached = divisions.findLast(({ from }) => from === null || value >= from + beyond);
  if (!reached) throw new Unsolvable('There must be at least one division.');
  return reached;
}
