import { PersonId, PlayerId, PoolName, QueueName } from '@muster/contracts';
import { InvalidArgumentError, type Command } from 'commander';
import { directory } from '../options/values.js';
import type { TargetOptions } from './target.js';

/** Options of every operator command. */
export interface OperatorOptions extends TargetOptions {
  readonly json: boolean;
}

/** The description of `--json` where one document is printed. */
export const jsonLine = 'one JSON object on one line instead of text';

/**
 * Adds the options for the address of Muster and the output format.
 *
 * @param defaultDataDir the data directory of a local system
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

/** Parses the name of a rating pool. @throws InvalidArgumentError with the expected form */
export const poolName = fitting(PoolName, 'The name of a pool');

/** Parses the name of a queue. @throws InvalidArgumentError with the expected form */
export const queueName = fitting(QueueName, 'The name of a queue');

/** Parses a player's id. @throws InvalidArgumentError with the expected form */
export const playerId = fitting(PlayerId, 'The id of a player');

/** Parses the id of a person, as in a player token. @throws InvalidArgumentError with the expected form */
export const personId = fitting(PersonId, 'The id of a player');

/** @param what the begin of a sentence that a flaw ends */
function fitting(schema: Pick<typeof PoolName, 'safeParse'>, what: string): (text: string) => string {
  return (text) => {
    const [issue] = schema.safeParse(text).error?.issues ?? [];
    if (issue) throw new InvalidArgumentError(`${what} ${issue.message}.`);
    return text;
  };
}

/** Parses a non-empty reason. @throws InvalidArgumentError with the expected form */
export function reason(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > 500)
    throw new InvalidArgumentError('Give a reason of 1 to 500 characters; it is stored with the change.');
  return trimmed;
}
