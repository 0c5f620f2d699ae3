import { own } from '@muster/domain';
import type { BodyOf, PoolView } from '@muster/contracts';
import { findOrCreate } from '@muster/command-line/operator/find-or-create-pool';
import { isDeepStrictEqual } from 'node:util';
import type { Ask } from '@muster/command-line/operator/connection';
import { parametersWith, settingsText } from '@muster/command-line/options/settings';

/** A pool, and the names of what was asked for and is otherwise in one that existed. */
type Created = PoolView & { readonly differences: readonly string[] };

/** Creates a pool, or finds it. */
export async function createPool(ask: Ask, { name, ...given }: BodyOf<'createPool'>): Promise<Created> {
  const { modifiers, parameters } = given;
  const requested = {
    ...given,
    ...(modifiers && { modifiers: [...new Set(modifiers)].toSorted() }),
    ...(parameters && { parameters: parametersWith({}, parameters) }),
  };
  const pool = await ask((operator) => findOrCreate(operator, { ...requested, name }));
  return { ...pool, differences: pool.created ? [] : differencesOf(requested, pool) };
}

/** The names of requested properties that differ in the pool; undefined ones are not requested. */
export function differencesOf(requested: Partial<BodyOf<'createPool'>>, pool: PoolView): string[] {
  const is: Readonly<Record<string, unknown>> = {
    ...pool.rules,
    gameMode: pool.gameMode,
    modifiers: pool.modifiers,
  };
  return Object.entries(requested)
    .filter(([name, value]) => value !== undefined && !isDeepStrictEqual(own(is, name), value))
    .map(([name]) => name);
}

/** The outcome as text. */
export function createdText({ differences, ...pool }: Created): string[] {
  const { name, rules, version } = pool;
  const by = `${rules.model} (${settingsText(rules.parameters)})`;
  if (pool.created) return [`Created the rating pool "${name}" (${playedIn(pool)}), rated by ${by}.`];
  const existing = `The rating pool "${name}" (${playedIn(pool)}) already exists, at version ${version}, rated by ${by}. It is unchanged.`;
  if (differences.length === 0) return [existing];
  return [existing, `It differs in ${differences.join(', ')}: ${nextStep(name, differences)}`];
}

function nextStep(name: string, differences: readonly string[]): string {
  if (differences.includes('gameMode') || differences.includes('modifiers'))
    return 'the game of a pool cannot change, so give another name.';
  return differences.includes('model')
    ? `give another name, or rebuild it with "muster pools rebuild ${name} --model …".`
    : `give another name, or change it with "muster pools change ${name} …".`;
}

/** The game mode and the modifiers. */
export function playedIn({ gameMode, modifiers }: Pick<PoolView, 'gameMode' | 'modifiers'>): string {
  return [gameMode ?? (modifiers.length > 0 ? 'any mode' : '–'), ...modifiers].join(' + ');
}
