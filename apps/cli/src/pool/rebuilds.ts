import type { RebuildView } from '@muster/contracts';
import { Connection } from '../operator/connection.js';
import type { OperatorOptions } from '../operator/options.js';
import { print } from '../operator/output.js';
import { inkFor, type Ink } from '../terminal/ink.js';
import { tableLines } from '../terminal/table.js';
import { moment } from '../terminal/moment.js';

/** Prints a pool's rebuilds. @throws Error with a user-facing message */
export async function listRebuilds(
  name: string,
  options: OperatorOptions,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const connection = await Connection.open(options, env);
  const { rebuilds } = await connection.ask((operator) => operator.rebuilds(name));
  print(options.json, { rebuilds }, () => rebuildsText(name, rebuilds, inkFor(process.stdout, env)));
}

/** Rebuilds as a table, newest first. */
export function rebuildsText(name: string, rebuilds: readonly RebuildView[], ink: Ink): string[] {
  if (rebuilds.length === 0) return [`"${name}" was never rebuilt.`];
  const [heads = '', ...rows] = tableLines(
    [
      { head: 'began' },
      { head: 'state' },
      { head: 'model' },
      { head: 'events', right: true },
      { head: 'skipped', right: true },
      { head: 'generation', right: true },
      { head: 'reason' },
    ],
    rebuilds.map(({ startedAt, state, model, done, total, skipped, generation, reason, error }) => [
      moment(startedAt),
      state,
      model,
      state === 'running' ? `${done} of ${total}` : String(done),
      String(skipped),
      String(generation),
      error === null ? reason : `${reason} It failed: ${error}`,
    ]),
  );
  return [ink.bold(heads), ...rows];
}
