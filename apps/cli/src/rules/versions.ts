import { Connection } from '../operator/connection.js';
import type { OperatorOptions } from '../operator/options.js';
import { print } from '../operator/output.js';
import { inkFor, type Ink } from '../terminal/ink.js';
import { moment } from '../terminal/moment.js';
import { tableLines } from '../terminal/table.js';
import type { VersionInForce } from './in-force.js';

/** Prints the versions of a queue's rules, newest first. @throws Error with a user-facing message */
export async function listVersions(
  queue: string,
  options: OperatorOptions & { readonly limit: number },
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const connection = await Connection.open(options, env);
  const { versions } = await connection.ask((operator) => operator.rules(queue, { limit: options.limit }));
  print(options.json, { queue, versions }, () => versionsText(versions, inkFor(process.stdout, env)));
}

const whom = { new: 'new tickets', all: 'waiting ones as well' };

/** Versions as a table. */
export function versionsText(versions: readonly VersionInForce[], ink: Ink): string[] {
  const [heads = '', ...rows] = tableLines(
    [{ head: 'version', right: true }, { head: 'since' }, { head: 'for' }, { head: 'why' }],
    versions.map(({ version, createdAt, appliesTo, why }) => [
      String(version),
      moment(createdAt),
      whom[appliesTo],
      why === '' ? '–' : why.replaceAll(/\s+/g, ' '),
    ]),
  );
  return [ink.bold(heads), ...rows];
}
