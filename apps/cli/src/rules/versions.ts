import { callMuster } from '@muster/command-line/operator/connection';
import type { OperatorOptions } from '@muster/command-line/operator/options';
import { print } from '@muster/command-line/operator/output';
import { inkFor, type Ink } from '@muster/command-line/terminal/ink';
import { moment } from '@muster/command-line/terminal/moment';
import { tableLines } from '@muster/command-line/terminal/table';
import type { VersionInForce } from './in-force.js';

/** Prints the versions of a queue's rules, newest first. @throws Error with a user-facing message */
export async function listVersions(
  queue: string,
  options: OperatorOptions & { readonly limit: number },
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const { versions } = await callMuster(options, env, (operator) =>
    operator.rules(queue, { limit: options.limit }),
  );
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
