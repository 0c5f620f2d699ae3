import { own } from '@muster/domain';
import type { BodyOf, CreatePool, PoolView } from '@muster/contracts';
import { MusterProblem, type OperatorClient } from '@muster/sdk';
import { isDeepStrictEqual } from 'node:util';
import { Connection } from '../operator/connection.js';
import type { OperatorOptions } from '../operator/options.js';
import { print } from '../operator/output.js';
import { playedIn } from './list.js';
import { rulesOf, type RuleOptions } from './rule-options.js';
import { settingsText } from './settings.js';

/** What `muster pool create` was told. */
export interface CreateOptions extends OperatorOptions, RuleOptions {
  readonly model?: string;
  readonly mode?: string;
  readonly modifier?: readonly string[];
}

/**
 * Makes a pool, or says that it was there.
 *
 * @returns the exit code: 0, 1 when one of that name was there and is not as asked
 * @throws Error with a sentence for people
 */
export async function createPool(
  name: string,
  options: CreateOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { model, mode, modifier } = options;
  const asked = {
    ...(model === undefined ? {} : { model }),
    ...(mode === undefined ? {} : { gameMode: mode }),
    ...(modifier === undefined ? {} : { modifiers: [...new Set(modifier)].toSorted() }),
    ...rulesOf(options),
  };
  const connection = await Connection.open(options, env);
  const pool = await connection.ask((operator) => foundOrMade(operator, { ...asked, name }));
  const differences = pool.created ? [] : differencesOf(asked, pool);
  print(options.json, { ...pool, differences }, () => createdText(pool, differences));
  return differences.length > 0 ? 1 : 0;
}

/**
 * The pool of that name, made if it is not there. It is looked for first: what is asked of one that is there is not checked
 * against the rules of a new one.
 */
export async function foundOrMade(operator: OperatorClient, body: BodyOf<'createPool'>): Promise<PoolView> {
  try {
    return { ...(await operator.pool(body.name)), created: false };
  } catch (error) {
    if (!(error instanceof MusterProblem) || error.code !== 'pool-not-found') throw error;
    return operator.createPool(body);
  }
}

/** Names of what was asked for and is otherwise in the pool. */
export function differencesOf(asked: Partial<CreatePool>, pool: PoolView): string[] {
  const is: Readonly<Record<string, unknown>> = {
    ...pool.rules,
    gameMode: pool.gameMode,
    modifiers: pool.modifiers,
  };
  return Object.entries(asked)
    .filter(([name, value]) => !isDeepStrictEqual(own(is, name), value))
    .map(([name]) => name);
}

/** What came of it, in sentences. */
export function createdText(pool: PoolView, differences: readonly string[]): string[] {
  const { name, rules, version } = pool;
  const by = `${rules.model} (${settingsText(rules.parameters)})`;
  if (pool.created) return [`Made the rating pool "${name}" (${playedIn(pool)}), rated by ${by}.`];
  const there = `The rating pool "${name}" (${playedIn(pool)}) was there already, at version ${version}, rated by ${by}. It is left as it is.`;
  if (differences.length === 0) return [there];
  return [there, `It is not as you ask in ${differences.join(', ')}: ${nextStep(name, differences)}`];
}

function nextStep(name: string, differences: readonly string[]): string {
  if (differences.includes('gameMode') || differences.includes('modifiers'))
    return 'what is played stays with a pool, so give another name.';
  return differences.includes('model')
    ? `give another name, or have it rated anew with "muster pool rebuild ${name} --model …".`
    : `give another name, or change it with "muster pool change ${name} …".`;
}
