import { rulesDocumentSchema, type DocumentPath } from '@muster/contracts';

/** What the published schema says of a field. */
export interface FieldSchema {
  readonly description: string;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly choices: readonly string[];
}

const fieldsOf = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
const within = (schema: unknown, ...names: readonly string[]): unknown =>
  names.reduce((inner, name) => fieldsOf(inner).get(name), schema);

let published: unknown;
/** The schema of the rules of one queue. */
function rulesSchema(): unknown {
  published ??= within(rulesDocumentSchema(), '$defs', 'QueueRules');
  return published;
}

/** The schema of a field by its path; numbers in the path are entries of lists. */
export function fieldSchema(path: DocumentPath): FieldSchema {
  const schema = fieldsOf(
    path.reduce<unknown>(
      (outer, part) =>
        typeof part === 'number' ? within(outer, 'items') : within(outer, 'properties', part),
      rulesSchema(),
    ),
  );
  const number = (name: string): number | undefined => {
    const value = schema.get(name);
    return typeof value === 'number' ? value : undefined;
  };
  const choices = schema.get('enum');
  return {
    description: String(schema.get('description') ?? ''),
    minimum: number('minimum'),
    maximum: number('maximum'),
    choices: Array.isArray(choices) ? choices.map(String) : [],
  };
}
