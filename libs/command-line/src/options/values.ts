import { own } from '@muster/domain';
import { InvalidArgumentError } from 'commander';
import { resolve } from 'node:path';

/** A whole number of at least `least`. @throws InvalidArgumentError with what would be right */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < least || value > most) {
      throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`);
    }
    return value;
  };
}

/** @returns a parser of finite numbers that throws InvalidArgumentError with the examples */
export function numberLike(examples: string): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === '' || !Number.isFinite(value))
      throw new InvalidArgumentError(`Give a number, such as ${examples}.`);
    return value;
  };
}

/** Parses a finite number. @throws InvalidArgumentError with the expected form */
export const number = numberLike('25 or 0.5');

/** Parses a number from `least` to `most`. @throws InvalidArgumentError with the expected form */
export function numberWithin(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = number(text);
    if (value < least || value > most)
      throw new InvalidArgumentError(`Give a number from ${least} to ${most}.`);
    return value;
  };
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** A duration such as `60s`, `5m` or `1500ms`. @returns milliseconds */
export function duration(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  const factor = unit === undefined ? undefined : own(units, unit);
  if (factor === undefined) throw new InvalidArgumentError('Give a duration such as 60s, 5m or 1500ms.');
  return Number(amount) * factor;
}

/** An absolute path. */
export function directory(text: string): string {
  return resolve(text);
}
