import {
  flawsWithin,
  must,
  noField,
  type QueueRules,
  QueueRulesSchema,
  queueRulesShape,
} from '@muster/domain/schemas';
import { z } from 'zod';
import { inPlainWords } from '../plain-words.js';

/** A path in a document. */
export type DocumentPath = readonly (string | number)[];

/** One flaw of a document. */
export interface DocumentFlaw {
  readonly path: DocumentPath;
  readonly message: string;
}

/** The content of a document, or all its flaws. */
export type RulesDocument =
  | {
      readonly ok: true;
      readonly queues: readonly QueueRules[];
      /** The path of each of them. */
      readonly paths: readonly DocumentPath[];
    }
  | { readonly ok: false; readonly flaws: readonly DocumentFlaw[] };

const forms = 'the rules of one queue, or a list of such under "queues"';

/**
 * Checks a value parsed from YAML or JSON: one queue's rules, `queues:` with a list of them, or the list alone. `$schema`
 * is for editors; beside `queues`, fields whose names begin with `x-` are ignored.
 */
export function checkRulesDocument(value: unknown): RulesDocument {
  const flaw = (message: string, path: DocumentPath = []): RulesDocument => ({
    ok: false,
    flaws: [{ path, message }],
  });
  if (value === null || value === undefined) return flaw(`the document is empty; write ${forms}`);
  if (Array.isArray(value)) return checkQueues(value, []);
  if (typeof value !== 'object') return flaw(must(forms).error({ input: value }));
  if (!('queues' in value)) return checkQueues([value], null);
  const { queues, $schema: _schema, ...beside } = value as Readonly<Record<string, unknown>>;
  const unknownFields = Object.keys(beside).filter((key) => !key.startsWith('x-'));
  const [unknownField] = unknownFields;
  if (unknownField !== undefined)
    return flaw(`${noField(unknownFields, ['queues', '$schema'])}; what is your own begins with x-`, [
      unknownField,
    ]);
  if (!Array.isArray(queues))
    return flaw(must('a list of the rules of queues').error({ input: queues }), ['queues']);
  return checkQueues(queues, ['queues']);
}

/** @param within the path of the list; null when the document is one queue */
function checkQueues(queues: readonly unknown[], within: DocumentPath | null): RulesDocument {
  if (queues.length === 0)
    return {
      ok: false,
      flaws: [{ path: within ?? [], message: 'the list is empty; name one queue or more' }],
    };
  const flaws: DocumentFlaw[] = [];
  const good: QueueRules[] = [];
  const paths: DocumentPath[] = [];
  const seen = new Map<string, number>();
  for (const [i, each] of queues.entries()) {
    const path = within === null ? [] : [...within, i];
    const read = QueueRulesSchema.safeParse(withoutSchema(each), { error: inPlainWords });
    if (read.success) {
      good.push(read.data);
      paths.push(path);
    } else {
      flaws.push(...flawsOfZod(read.error).map((flaw) => ({ ...flaw, path: [...path, ...flaw.path] })));
    }
    const name = nameOf(each);
    if (name === undefined) continue;
    const before = seen.get(name);
    if (before === undefined) seen.set(name, i);
    else
      flaws.push({
        path: [...path, 'name'],
        message: `there is a queue "${name}" in this document already, number ${before + 1} of the list`,
      });
  }
  return flaws.length > 0 ? { ok: false, flaws } : { ok: true, queues: good, paths };
}

function withoutSchema(queue: unknown): unknown {
  if (typeof queue !== 'object' || queue === null || !('$schema' in queue)) return queue;
  const { $schema: _schema, ...rules } = queue;
  return rules;
}

function nameOf(queue: unknown): string | undefined {
  if (typeof queue !== 'object' || queue === null || !('name' in queue)) return undefined;
  return typeof queue.name === 'string' ? queue.name : undefined;
}

/** zod's issues, each with its path; for an unknown field, the path is the field's. */
function flawsOfZod(error: z.ZodError): DocumentFlaw[] {
  return flawsWithin(error.issues).map(({ path: at = [], keys: [unknownField] = [], message }) => {
    const path = at.map((part) => (typeof part === 'symbol' ? String(part) : part));
    return { path: unknownField === undefined ? path : [...path, unknownField], message };
  });
}

/** A path in readable form: `queues[0].skillWindow[2].limit`. */
export function pathText(path: DocumentPath): string {
  return path
    .map((part, i) => {
      if (typeof part === 'number') return `[${part}]`;
      if (!/^[\w$-]+$/.test(part)) return `[${JSON.stringify(part)}]`;
      return i === 0 ? part : `.${part}`;
    })
    .join('');
}

/**
 * The JSON Schema (2020-12) of a rules document. It covers fields and their ranges; only {@link checkRulesDocument} finds
 * contradictions (a window that narrows, roles that cannot be filled).
 */
export function rulesDocumentSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...rules } = z.toJSONSchema(z.strictObject(queueRulesShape), {
    target: 'draft-2020-12',
    io: 'input',
    reused: 'inline',
  });
  const schemaField = { type: 'string', description: 'Tells an editor what this document is.' };
  const one = { $ref: '#/$defs/QueueRules' };
  const list = { type: 'array', minItems: 1, items: one };
  return {
    $schema,
    title: 'Queue rules of Muster',
    description: `A rules document: ${forms}.`,
    anyOf: [
      one,
      {
        type: 'object',
        description: 'The rules of several queues.',
        properties: { $schema: schemaField, queues: list },
        patternProperties: { '^x-': { description: 'Your own, such as a place for YAML anchors.' } },
        required: ['queues'],
        additionalProperties: false,
      },
      list,
    ],
    $defs: {
      QueueRules: {
        ...rules,
        description: 'The rules of one queue.',
        properties: { $schema: schemaField, ...rules.properties },
      },
    },
  };
}
