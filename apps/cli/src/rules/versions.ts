import type { Ask } from '@muster/command-line/operator/connection';
import type { Answer } from '@muster/command-line/operator/define';
import type { Ink } from '@muster/command-line/terminal/ink';
import { moment } from '@muster/command-line/terminal/moment';
import { boldTable, right } from '@muster/command-line/terminal/table';
import type { VersionInForce } from './in-force.js';

/** Tells of the versions of a queue's rules, newest first. */
export async function listVersions(
  ask: Ask,
  queue: string,
  { limit }: { readonly limit: number },
): Promise<Answer> {
  const { versions } = await ask((operator) => operator.rules(queue, { limit }));
  return { json: { queue, versions }, text: (ink) => versionsText(versions, ink) };
}

const whom = { new: 'new tickets', all: 'waiting ones as well' };

/** Versions as a table. */
export function versionsText(versions: readonly VersionInForce[], ink: Ink): string[] {
  return boldTable(
    ink,
    [...right('version'), 'since', 'for', 'why'],
    versions.map(({ version, createdAt, appliesTo, why }) => [
      String(version),
      moment(createdAt),
      whom[appliesTo],
      why === '' ? '–' : why.replaceAll(/\s+/g, ' '),
    ]),
  );
}
