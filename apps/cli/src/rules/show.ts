import type { QueueRules } from '@muster/domain';
import { Document, isCollection, isScalar, visit, type YAMLMap } from 'yaml';
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
    text: () => [...versions.map((each) => `# ${headText(each)}`), yamlText(document).trimEnd()],
  };
}

/** `5v5, version 3, since 2026-11-21 12:00: why`. */
export function headText({ queue, version, createdAt, why }: VersionInForce): string {
  const words = why.replaceAll(/\s+/g, ' ').trim();
  return `${queue}, version ${version}, since ${moment(createdAt)}${words === '' ? '' : `: ${words}`}`;
}

/** Rules as YAML, one line per point of a curve. */
export function yamlText(document: QueueRules | { readonly queues: readonly QueueRules[] }): string {
  const yaml = new Document(document);
  visit(yaml, {
    Map: (_key, map) => void (map.flow = isLeaf(map) && (map.items.length === 2 || undefined)),
    Seq: (_key, list) => void (list.flow = list.items.every(isScalar)),
  });
  return yaml.toString({ lineWidth: 110, flowCollectionPadding: true });
}

function isLeaf(map: YAMLMap): boolean {
  return map.items.every(({ value }) => !isCollection(value));
}
