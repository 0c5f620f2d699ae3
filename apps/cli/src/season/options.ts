import { InvalidArgumentError } from 'commander';
import { Moment } from '@muster/contracts';
import type { SeasonRules } from '@muster/domain';
import { number } from '@muster/command-line/options/values';
import { partsOf } from '@muster/command-line/options/parts';

const names = ['keep', 'uncertainty', 'placement'] as const;
const form = 'Give the three numbers, as in "keep=0.75, uncertainty=0.5, placement=10"';

/** Parses `keep=0.75, uncertainty=0.5, placement=10`. @throws InvalidArgumentError with the expected form */
export function seasonRules(text: string): SeasonRules {
  const parts = new Map(partsOf(text));
  if (parts.size !== names.length || names.some((name) => !parts.has(name)))
    throw new InvalidArgumentError(`${form}.`);
  const [keep = 0, uncertainty = 0, placementMatches = 0] = names.map((name) =>
    number(parts.get(name) ?? ''),
  );
  if (Math.min(keep, uncertainty) < 0 || Math.max(keep, uncertainty) > 1)
    throw new InvalidArgumentError('keep and uncertainty are shares from 0 to 1.');
  if (!Number.isInteger(placementMatches) || placementMatches < 0 || placementMatches > 1_000)
    throw new InvalidArgumentError('placement is a number of matches from 0 to 1000.');
  return { keep, uncertainty, placementMatches };
}

/** Parses the number of a season. @throws InvalidArgumentError with the expected form */
export function seasonNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text.trim()) || value < least || value > 100_000)
      throw new InvalidArgumentError(`Give the number of a season, from ${least}.`);
    return value;
  };
}

/** Checks the time of an announcement. @throws InvalidArgumentError with the expected form */
export function seasonTime(text: string): string {
  if (!Moment.safeParse(text).success)
    throw new InvalidArgumentError(
      'Give a time by ISO 8601 with its offset, such as 2027-03-01T06:00:00Z, or milliseconds since the Unix epoch.',
    );
  return text;
}
