import { Connection } from '../operator/connection.js';
import type { OperatorOptions } from '../operator/options.js';
import { print } from '../operator/output.js';
import { rulesOf, type RuleOptions } from './rule-options.js';
import { settingsText } from './settings.js';

/** Changes a pool's rules from now on. @throws Error with a user-facing message */
export async function changePool(
  name: string,
  options: OperatorOptions & RuleOptions,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  if (Object.keys(rulesOf(options)).length === 0)
    throw new Error('Give a change, such as --set k=24; "muster pool change --help" lists the options.');
  const connection = await Connection.open(options, env);
  const before = await connection.ask((operator) => operator.pool(name));
  const given = rulesOf(options, before.rules.parameters);
  const pool = await connection.ask((operator) => operator.changePool(name, given));
  print(options.json, pool, () => [
    `Changed "${name}" from version ${before.version} to ${pool.version}: it applies from the next match on.`,
    ...('parameters' in given
      ? [`Parameters of ${pool.rules.model}: ${settingsText(pool.rules.parameters)}.`]
      : []),
    `To rate its history under these rules as well: muster pool rebuild ${name} --model ${pool.rules.model}`,
  ]);
}
