import type { RebuildView } from '@muster/contracts';
import type { Ask } from '@muster/command-line/operator/connection';
import type { Answer } from '@muster/command-line/operator/define';
import type { Ink } from '@muster/command-line/terminal/ink';
import { boldTable, right } from '@muster/command-line/terminal/table';
import { moment } from '@muster/command-line/terminal/moment';

/** Tells of a pool's rebuilds. */
export async function listRebuilds(ask: Ask, name: string): Promise<Answer> {
  const { rebuilds } = await ask((operator) => operator.rebuilds(name));
  return { json: { rebuilds }, text: (ink) => rebuildsText(name, rebuilds, ink) };
}

/** Rebuilds as a table, newest first. */
export function rebuildsText(name: string, rebuilds: readonly RebuildView[], ink: Ink): string[] {
  if (rebuilds.length === 0) return [`"${name}" was never rebuilt.`];
  return boldTable(
    ink,
    ['began', 'state', 'model', ...right('events', 'skipped', 'generation'), 'reason'],
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
}
