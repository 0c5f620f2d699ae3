import type { ModelKind } from '@muster/skill';

/**
 * The model kinds of a list, each once, in the order of the list.
 *
 * @param list `all`, or names separated by commas
 * @throws Error with the existing names
 */
export function kindsNamed(list: string, kinds: readonly ModelKind[]): ModelKind[] {
  const names = [...new Set(list.split(',').map((name) => name.trim()))];
  if (names.includes('all')) return [...kinds];
  return names.map((name) => {
    const kind = kinds.find((candidate) => candidate.name === name);
    if (!kind)
      throw new Error(
        `There is no rating model ${JSON.stringify(name)}; there is ${kinds.map((each) => each.name).join(', ')}, or all.`,
      );
    return kind;
  });
}
