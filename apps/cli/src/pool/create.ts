import { own } from '@muster/domain';
import type { CreatePool, PoolView } from '@muster/contracts';
import { findOrCreate } from '@muster/command-line/operator/find-or-create-pool';
import { isDeepStrictEqual } from 'node:util';
import type { Ask } from '@muster/command-line/operator/connection';
import type { Answer } from '@muster/command-line/operator/define';
import { playedIn } from './list.js';
import { rulesOf, type RuleOptions } from './rule-options.js';
import { settingsText } from '@muster/command-line/options/settings';

/** Options of `muster pool create`. */
export interface CreateOptions extends RuleOptions {
  readonly model?: string;
  readonly mode?: string;
  readonly modifier?: readonly string[];
}

/** Creates a pool, or reports that it exists. The exit code is 1 if a pool of that name exists and differs. */
export async function createPool(ask: Ask, name: string, options: CreateOptions): Promise<Answer> {
  const { model, mode, modifier } = options;
  const requested = {
    model,
    gameMode: mode,
    modifiers: modifier && [...new Set(modifier)].toSorted(),
    ...rulesOf(options),
  };
  const pool = await ask((operator) => findOrCreate(operator, { ...requested, name }));
  const differences = pool.created ? [] : differencesOf(requested, pool);
  return {
    json: { ...pool, differences },
    text: () => createdText(pool, differences),
    exitCode: differences.length > 0 ? 1 : 0,
  };
}

/** The names of requested properties that differ in the pool; undefined ones are not requested. */
export function differencesOf(requested: Partial<CreatePool>, pool: PoolView): string[] {
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
export function createdText(pool: PoolView, differences: readonly string[]): string[] {
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
    ? `give another name, or rebuild it with "muster pool rebuild ${name} --model …".`
    : `give another name, or change it with "muster pool change ${name} …".`;
}
