import { own } from '@muster/domain';
import type { PoolView } from '@muster/contracts';
import { explain, type Connection } from '../operator/connection.js';
import { foundOrMade } from '../pool/create.js';
import { parametersWith, type Settings } from '../pool/settings.js';

/** The model that a replay asks for; what is left out is as the pool has it. */
export interface AskedModel {
  readonly model?: string;
  readonly set?: Settings;
}

/**
 * Makes the pool, or sees that the one that is there rates as asked.
 *
 * @returns whether it was not there before
 * @throws Error with a sentence for people when it rates otherwise, or cannot be made
 */
export async function openPool(
  { operator, target }: Pick<Connection, 'operator' | 'target'>,
  name: string,
  { model, set }: AskedModel,
): Promise<boolean> {
  const body = {
    name,
    ...(model === undefined ? {} : { model }),
    ...(set === undefined ? {} : { parameters: parametersWith({}, set) }),
  };
  const pool = await foundOrMade(operator, body).catch((error: unknown) => {
    throw new Error(`The rating pool "${name}" could not be made: ${explain(error, target)}`, {
      cause: error,
    });
  });
  if (pool.created) return true;
  const objection = objectionOf(pool, { ...(model === undefined ? {} : { model }), ...(set ? { set } : {}) });
  if (objection !== null) throw new Error(objection);
  return false;
}

/** Why a pool that is there is not for this replay, with the next step; null when it is. */
export function objectionOf({ name, rules }: PoolView, { model, set }: AskedModel): string | null {
  if (model !== undefined && model !== rules.model)
    return `The rating pool "${name}" is there and rated by ${rules.model}, not ${model}. Replay into another pool with --pool, or have this one rated anew: muster pool rebuild ${name} --model ${model}`;
  const asked = set ?? {};
  const wanted = parametersWith(rules.parameters, asked);
  const other = Object.keys(asked).find((key) => own(wanted, key) !== own(rules.parameters, key));
  if (other === undefined) return null;
  return `The rating pool "${name}" is there with ${other}=${own(rules.parameters, other) ?? 'default'}, not ${own(asked, other)}. Replay into another pool with --pool, or have this one rated anew: muster pool rebuild ${name} --set ${other}=${own(asked, other)}`;
}
