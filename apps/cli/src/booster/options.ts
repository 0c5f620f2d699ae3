import type { BoosterRules } from '@muster/domain';
import { InvalidArgumentError } from 'commander';
import { number } from '@muster/command-line/options/values';
import { partsOf } from '@muster/command-line/options/parts';

const names = ['matches', 'factor', 'divisions'];

/** Parses `matches=5, factor=2, divisions=1`. @throws InvalidArgumentError with the expected form */
export function boosterRules(text: string): BoosterRules {
  const parts = new Map(partsOf(text));
  if (!parts.has('matches') || [...parts.keys()].some((name) => !names.includes(name)))
    throw new InvalidArgumentError(
      'Give at least the matches of a booster, as in "matches=5, factor=2, divisions=1", or none.',
    );
  const matches = number(parts.get('matches') ?? '');
  const kFactor = number(parts.get('factor') ?? '2');
  const divisions = number(parts.get('divisions') ?? '1');
  if (!Number.isInteger(matches) || matches < 1 || matches > 1_000)
    throw new InvalidArgumentError('matches is a number of matches from 1 to 1000.');
  if (kFactor < 1 || kFactor > 4) throw new InvalidArgumentError('factor is a number from 1 to 4.');
  if (!Number.isInteger(divisions) || divisions < 1 || divisions > 100)
    throw new InvalidArgumentError('divisions is a number of divisions from 1 to 100.');
  return { matches, kFactor, divisions };
}
