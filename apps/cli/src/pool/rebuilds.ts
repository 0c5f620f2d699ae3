import type { RebuildView } from '@muster/contracts';
import { callMuster } from '@muster/command-line/operator/connection';
import type { OperatorOptions } from '@muster/command-line/operator/options';
import { print } from '@muster/command-line/operator/output';
import { inkFor, type Ink } from '@muster/command-line/terminal/ink';
import { tableLines } from '@muster/command-line/terminal/table';
import { moment } from '@muster/command-line/terminal/moment';

/** Prints a pool's rebuilds. @throws Error with a user-facing message */
export async function listRebuilds(
  name: string,
  options: OperatorOptions,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const { rebuilds } = await callMuster(options, env, (operator) => operator.rebuilds(name));
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
