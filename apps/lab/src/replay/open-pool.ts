import { own } from '@muster/domain';
import type { PoolView } from '@muster/contracts';
import { explain, type Connection } from '@muster/command-line/operator/connection';
import { findOrCreate } from '@muster/command-line/operator/find-or-create-pool';
import { parametersWith, type Settings } from '@muster/command-line/options/settings';

/** The model that a replay requests; absent fields are as in the pool. */
export interface RequestedModel {
  readonly model?: string;
  readonly set?: Settings;
}

/**
 * Creates the pool, or checks that the existing one has the requested rules.
 *
 * @returns whether it was created
 * @throws Error with a user-facing message if it differs or cannot be created
 */
export async function openPool(
  { operator, target }: Pick<Connection, 'operator' | 'target'>,
  name: string,
  { model, set }: RequestedModel,
): Promise<boolean> {
  const body = { name, model, parameters: set && parametersWith({}, set) };
  const pool = await findOrCreate(operator, body).catch((error: unknown) => {
    throw new Error(`The rating pool "${name}" could not be created: ${explain(error, target)}`, {
      cause: error,
    });
  });
  if (pool.created) return true;
  const objection = objectionOf(pool, { model, set });
  if (objection !== null) throw new Error(objection);
  return false;
}

/** Why an existing pool does not suit this replay, with the next step; null if it does. */
export function objectionOf({ name, rules }: PoolView, { model, set }: RequestedModel): string | null {
  if (model !== undefined && model !== rules.model)
    return `The rating pool "${name}" exists and is rated by ${rules.model}, not ${model}. Replay into another pool with --pool, or rebuild this one: muster pools rebuild ${name} --model ${model}`;
  const requested = set ?? {};
  const wanted = parametersWith(rules.parameters, requested);
  const other = Object.keys(requested).find((key) => own(wanted, key) !== own(rules.parameters, key));
  if (other === undefined) return null;
  return `The rating pool "${name}" exists with ${other}=${own(rules.parameters, other) ?? 'default'}, not ${own(requested, other)}. Replay into another pool with --pool, or rebuild this one: muster pools rebuild ${name} --set ${other}=${own(requested, other)}`;
}
