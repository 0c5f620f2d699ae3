import type { QueueRules } from '@muster/domain';
import { Document, isCollection, isScalar, visit, type YAMLMap } from 'yaml';
import { callMuster } from '@muster/command-line/operator/connection';
import type { OperatorOptions } from '@muster/command-line/operator/options';
import { print } from '@muster/command-line/operator/output';
import { moment } from '@muster/command-line/terminal/moment';
import { inForce, type VersionInForce } from './in-force.js';

export interface ShowOptions extends OperatorOptions {
  readonly at?: number;
}

/** Prints rules as a document that can be applied again. @throws Error with a user-facing message */
export async function showRules(
  queue: string | undefined,
  options: ShowOptions,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  if (queue === undefined && options.at !== undefined)
    throw new Error('Name the queue of the version, such as: muster rules show 5v5 --at 2');
  const versions = await callMuster(options, env, async (operator) => {
    if (queue === undefined) {
      const { queues } = await operator.queues();
      const all = await Promise.all(queues.map(({ name }) => inForce(operator, name)));
      return all.flatMap((each) => each ?? []);
    }
    const { at: version } = options;
    const page = await operator.rules(queue, version === undefined ? { limit: 1 } : { version });
    return page.versions;
  });
  const [one] = versions;
  const document = queue === undefined || !one ? { queues: versions.map(({ rules }) => rules) } : one.rules;
  print(options.json, document, () => [
    ...versions.map((each) => `# ${headText(each)}`),
    yamlText(document).trimEnd(),
  ]);
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
