import { InvalidArgumentError } from 'commander';

/** Names of the two sides, as an option. @throws InvalidArgumentError with the expected form */
export function sides(text: string): readonly [string, string] {
  const [first = '', second = '', ...more] = text.split(',').map((side) => side.trim());
  if (first === '' || second === '' || first === second || more.length > 0)
    throw new InvalidArgumentError('Give two different names separated by a comma, such as home,away.');
  return [first, second];
}
