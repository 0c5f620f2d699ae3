import type { PoolView } from '@muster/contracts';
import type { Ask } from '@muster/command-line/operator/connection';
import type { Answer } from '@muster/command-line/operator/define';
import { rulesOf, type RuleOptions } from './rule-options.js';
import { settingsText } from '@muster/command-line/options/settings';

/** Changes a pool's rules from now on. */
export async function changePool(ask: Ask, name: string, options: RuleOptions): Promise<Answer> {
  if (Object.keys(rulesOf(options)).length === 0)
    throw new Error('Give a change, such as --set k=24; "muster pool change --help" lists the options.');
  const before = await ask((operator) => operator.pool(name));
  const given = rulesOf(options, before.rules.parameters);
  const pool = await ask((operator) => operator.changePool(name, given));
  return { json: pool, text: () => changedText(before.version, pool, Object.keys(given)) };
}

/** What a user is told of a change. @param before the version before @param given the names of the rules that were given */
export function changedText(
  before: number,
  { name, version, rules }: Pick<PoolView, 'name' | 'version' | 'rules'>,
  given: readonly string[],
): string[] {
  const changed = `Changed "${name}" from version ${before} to ${version}`;
  const away = rules.inactivity
    ? 'the rule of inactivity counts the time that has already passed, so ratings of players who have been away change at once'
    : 'without a rule of inactivity, ratings of players who have been away are at once what their last match left';
  const isInactivity = given.includes('inactivity');
  return [
    ...(isInactivity && given.length === 1
      ? [`${changed}: ${away}.`]
      : [
          `${changed}: it applies from the next match on.`,
          ...(isInactivity ? [`Except that ${away}.`] : []),
        ]),
    ...(given.includes('parameters')
      ? [`Parameters of ${rules.model}: ${settingsText(rules.parameters)}.`]
      : []),
    `To rate its history under these rules as well: muster pool rebuild ${name} --model ${rules.model}`,
  ];
}
