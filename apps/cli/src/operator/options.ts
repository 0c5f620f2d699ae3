import { PlayerId, PoolName } from '@muster/contracts';
import { InvalidArgumentError, type Command } from 'commander';
import { directory } from '../up/options.js';
import type { TargetOptions } from './target.js';

/** What every command of an operator is told. */
export interface OperatorOptions extends TargetOptions {
  readonly json: boolean;
}

/** How `--json` is explained where one document is printed. */
export const jsonLine = 'one JSON object on one line instead of text';

/**
 * Gives a command the options that say which Muster, and how to print.
 *
 * @param defaultDataDir where a system on this machine keeps its data
 */
export function operatorOptions(command: Command, defaultDataDir: string, json = jsonLine): Command {
  return command
    .option(
      '--url <origin>',
      'address of Muster (default: MUSTER_URL, the Muster on this machine, or http://127.0.0.1:8080)',
    )
    .option(
      '--operator-key <key>',
      'the operator key (default: MUSTER_OPERATOR_KEY, or the one in the data directory)',
    )
    .option('--data-dir <dir>', 'data directory of the Muster on this machine', directory, defaultDataDir)
    .option('--json', json, false);
}

/** The name of a rating pool, as an argument. @throws InvalidArgumentError with what would be right */
export function poolName(text: string): string {
  const [issue] = PoolName.safeParse(text).error?.issues ?? [];
  if (issue) throw new InvalidArgumentError(`The name of a pool ${issue.message}.`);
  return text;
}

/** A player's id, as an argument. @throws InvalidArgumentError with what would be right */
export function playerId(text: string): string {
  const [issue] = PlayerId.safeParse(text).error?.issues ?? [];
  if (issue) throw new InvalidArgumentError(`The id of a player ${issue.message}.`);
  return text;
}

/** A finite number, as an argument. @throws InvalidArgumentError with what would be right */
export function number(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value))
    throw new InvalidArgumentError('Give a number, such as 25 or 0.5.');
  return value;
}

/** A number from `least` to `most`, as an argument. @throws InvalidArgumentError with what would be right */
export function numberWithin(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = number(text);
    if (value < least || value > most)
      throw new InvalidArgumentError(`Give a number from ${least} to ${most}.`);
    return value;
  };
}

/** A text that says something, as an argument. @throws InvalidArgumentError with what would be right */
export function reason(text: string): string {
  const said = text.trim();
  if (said === '' || said.length > 500)
    throw new InvalidArgumentError('Say why, in 1 to 500 characters: it is kept with what you do.');
  return said;
}
