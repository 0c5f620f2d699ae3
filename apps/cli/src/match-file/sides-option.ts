import { InvalidArgumentError } from 'commander';

/** Names of the two sides, as an option. @throws InvalidArgumentError with what would be right */
export function sides(text: string): readonly [string, string] {
  const [first = '', second = '', ...more] = text.split(',').map((side) => side.trim());
  if (first === '' || second === '' || first === second || more.length > 0)
    throw new InvalidArgumentError('Give two different names with a comma between, such as home,away.');
  return [first, second];
}
