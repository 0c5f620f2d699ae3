import { own } from '@muster/domain';
import type { CreatePool, PoolView } from '@muster/contracts';
import { findOrCreate } from '@muster/command-line/operator/find-or-create-pool';
import { isDeepStrictEqual } from 'node:util';
import { callMuster } from '@muster/command-line/operator/connection';
import type { OperatorOptions } from '@muster/command-line/operator/options';
import { print } from '@muster/command-line/operator/output';
import { playedIn } from './list.js';
import { rulesOf, type RuleOptions } from './rule-options.js';
import { settingsText } from '@muster/command-line/options/settings';

/** Options of `muster pool create`. */
export interface CreateOptions extends OperatorOptions, RuleOptions {
  readonly model?: string;
  readonly mode?: string;
  readonly modifier?: readonly string[];
}

/**
 * Creates a pool, or reports that it exists.
 *
 * @returns the exit code: 0, 1 if a pool of that name exists and differs
 * @throws Error with a user-facing message
 */
export async function createPool(
  name: string,
  options: CreateOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { model, mode, modifier } = options;
  const requested = {
    ...(model === undefined ? {} : { model }),
    ...(mode === undefined ? {} : { gameMode: mode }),
    ...(modifier === undefined ? {} : { modifiers: [...new Set(modifier)].toSorted() }),
    ...rulesOf(options),
  };
  const pool = await callMuster(options, env, (operator) => findOrCreate(operator, { ...requested, name }));
  const differences = pool.created ? [] : differencesOf(requested, pool);
  print(options.json, { ...pool, differences }, () => createdText(pool, differences));
  return differences.length > 0 ? 1 : 0;
}

/** The names of requested properties that differ in the pool. */
export function differencesOf(requested: Partial<CreatePool>, pool: PoolView): string[] {
  const is: Readonly<Record<string, unknown>> = {
    ...pool.rules,
    gameMode: pool.gameMode,
    modifiers: pool.modifiers,
  };
  return Object.entries(requested)
    .filter(([name, value]) => !isDeepStrictEqual(own(is, name), value))
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
