import type { BodyOf, PoolView } from '@muster/contracts';
import type { Ask } from '@muster/command-line/operator/connection';
import { parametersWith, settingsText } from '@muster/command-line/options/settings';

/** Changes a pool's rules from now on; parameters that are not given stay. */
export async function changePool(
  ask: Ask,
  { pool: name, ...rules }: BodyOf<'changePool'> & { readonly pool: string },
): Promise<PoolView> {
  if (Object.keys(rules).length === 0)
    throw new Error('Give a change, such as --set k=24; "muster pools change --help" lists the options.');
  const { parameters } = rules;
  return ask(async (operator) => {
    const before = parameters ? (await operator.pool(name)).rules.parameters : {};
    return operator.changePool(name, {
      ...rules,
      ...(parameters && { parameters: parametersWith(before, parameters) }),
    });
  });
}

/** What a user is told of a change. @param given the names of the rules that were given */
export function changedText(
  { name, version, rules }: Pick<PoolView, 'name' | 'version' | 'rules'>,
  given: readonly string[],
): string[] {
  const changed = `Changed "${name}" to version ${version}`;
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
    `To rate its history under these rules as well: muster pools rebuild ${name} --model ${rules.model}`,
  ];
}
