import { own } from '@muster/domain';
import { sigmoid, softmax } from './maths/logistic.js';
import type { Contest, PlayerFacts, SkillState } from './model.js';

/** The outcome between two ranks: 1 if the first is better, 0 if worse, a half for equal ones. */
export function outcomeBetween(rank: number, other: number): 0 | 0.5 | 1 {
  if (rank === other) return 0.5;
  return rank < other ? 1 : 0;
}

/** The chances of teams with these log-odds. Of two they are those of their difference. */
export function chancesOfOdds(odds: readonly number[]): number[] {
  if (odds.length > 2) return softmax(odds);
  const first = sigmoid((odds[0] ?? 0) - (odds[1] ?? 0));
  return [first, 1 - first];
}

/** A team after a match: who took part is changed, and the others are the same. */
export function teamAfter<S extends SkillState>(
  team: readonly S[],
  weights: readonly number[] | undefined,
  change: (player: S, weight: number, p: number) => S,
): S[] {
  const after: S[] = [];
  for (let p = 0; p < team.length; p++) {
    const weight = weights?.[p] ?? 1;
    after.push(weight === 0 ? (team[p] as S) : change(team[p] as S, weight, p));
  }
  return after;
}

/** The first participating player for whom a fact is missing, for a sentence; null when there is none. */
export function firstWithout(
  { teams, weights, facts }: Contest,
  has: (facts: PlayerFacts) => boolean,
): string | null {
  for (let t = 0; t < teams.length; t++) {
    const size = teams[t]?.length ?? 0;
    for (let p = 0; p < size; p++) {
      if (weights?.[t]?.[p] === 0) continue;
      const known = facts?.[t]?.[p];
      if (!known || !has(known)) return `player ${p + 1} of team ${t + 1}`;
    }
  }
  return null;
}

/**
 * The numbers of a stored state.
 *
 * @param what names the state in the error
 * @throws TypeError when one is missing
 */
export function readNumbers<Name extends string>(
  json: unknown,
  names: readonly Name[],
  what: string,
): Record<Name, number> {
  const values: Partial<Record<Name, number>> = {};
  for (const name of names) {
    const value = isObject(json) ? own(json, name) : undefined;
    if (typeof value !== 'number') throw new TypeError(`not ${what}: ${JSON.stringify(json)}`);
    values[name] = value;
  }
  return values as Record<Name, number>;
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null;
}
