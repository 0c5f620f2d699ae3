import { eventCatalogue } from '@muster/contracts';
import { format, resolveConfig } from 'prettier';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const intro = `# Types of events

[events.md](events.md) says how to get them. The order is that of deliveries to a webhook: of events with the same match, server
and so on, one is sent at a time.
`;

interface Shape {
  readonly type?: string;
  readonly description?: string;
  readonly anyOf?: readonly Shape[];
  readonly items?: Shape;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Shape>>;
}

/** The form of a field in a few words. */
function formOf({ type = 'any', anyOf, items, enum: values, properties }: Shape): string {
  if (anyOf) return anyOf.map(formOf).join(' or ');
  if (values) return values.map((value) => `\`${String(value)}\``).join(', ');
  if (items) return `list of ${formOf(items)}`;
  if (type === 'object' && properties)
    return `object: ${Object.keys(properties)
      .map((name) => `\`${name}\``)
      .join(', ')}`;
  return type;
}

const kinds = Object.entries(eventCatalogue);
const groups = [...new Set(kinds.map(([type]) => type.split('.')[0] ?? ''))];

function page(): string {
  const parts = groups.map((group) => {
    const of = kinds.filter(([type]) => type.startsWith(`${group}.`));
    const rows = of.map(
      ([type, { version, order, summary }]) => `| \`${type}\` | ${version} | ${order} | ${summary} |`,
    );
    const shapes = [...new Set(of.map(([, { data }]) => data))];
    const tables = shapes.map((data) => {
      const types = of.filter(([, each]) => each.data === data).map(([type]) => `\`${type}\``);
      const { properties = {} } = z.toJSONSchema(data, {
        io: 'output',
        unrepresentable: 'any',
        reused: 'inline',
      }) as Shape;
      const fields = Object.entries(properties).map(
        ([name, shape]) => `| \`${name}\` | ${formOf(shape)} | ${shape.description ?? ''} |`,
      );
      return `Data of ${types.join(', ')}:\n\n| field | form | |\n| --- | --- | --- |\n${fields.join('\n')}\n`;
    });
    return `## ${group}\n\n| type | version | order | |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n\n${tables.join('\n')}`;
  });
  return [intro, ...parts].join('\n');
}

describe('docs/event-types.md', () => {
  it('has exactly the catalogue (vitest -u regenerates it)', async () => {
    const options = await resolveConfig('docs/event-types.md');
    const text = await format(page(), { ...options, parser: 'markdown' });
    await expect(text).toMatchFileSnapshot('../../docs/event-types.md');
  });
});
