import { rulesYaml } from '@muster/contracts';
import { Document } from 'yaml';
import type { Ask } from '@muster/command-line/operator/connection';
import type { Answer } from '@muster/command-line/operator/define';
import { moment } from '@muster/command-line/terminal/moment';
import { inForce, type VersionInForce } from './in-force.js';

/** Tells rules as a document that can be applied again. */
export async function showRules(
  ask: Ask,
  queue: string | undefined,
  { at: version }: { readonly at?: number },
): Promise<Answer> {
  if (queue === undefined && version !== undefined)
    throw new Error('Name the queue of the version, such as: muster rules show 5v5 --at 2');
  const versions = await ask(async (operator) => {
    if (queue === undefined) {
      const { queues } = await operator.queues();
      const all = await Promise.all(queues.map(({ name }) => inForce(operator, name)));
      return all.flatMap((each) => each ?? []);
    }
    const page = await operator.rules(queue, version === undefined ? { limit: 1 } : { version });
    return page.versions;
  });
  const [one] = versions;
  const document = queue === undefined || !one ? { queues: versions.map(({ rules }) => rules) } : one.rules;
  return {
    json: document,
    text: () => [
      ...versions.map((each) => `# ${headText(each)}`),
      rulesYaml(document, { Document }).trimEnd(),
    ],
  };
}

/** `5v5, version 3, since 2026-11-21 12:00: why`. */
export function headText({ queue, version, createdAt, why }: VersionInForce): string {
  const words = why.replaceAll(/\s+/g, ' ').trim();
  return `${queue}, version ${version}, since ${moment(createdAt)}${words === '' ? '' : `: ${words}`}`;
}
