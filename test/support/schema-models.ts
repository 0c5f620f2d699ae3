import { readFileSync } from 'node:fs';

/** A model of schema.prisma, with its names in the database. */
export interface Model {
  readonly table: string;
  /** Columns by field name. */
  readonly columns: ReadonlyMap<string, string>;
  /** Models by the name of the relation field. */
  readonly relations: ReadonlyMap<string, string>;
}

const lowered = (name: string): string => `${name.charAt(0).toLowerCase()}${name.slice(1)}`;

/** Reads the models of a Prisma schema, by their client names. */
export function readModels(path: string): Map<string, Model> {
  const blocks = [...readFileSync(path, 'utf8').matchAll(/^model (\w+) \{([\s\S]*?)@@map\("(\w+)"\)/gm)].map(
    ([, name = '', body = '', table = '']) => ({ name, body, table }),
  );
  const names = new Set(blocks.map(({ name }) => name));
  return new Map(
    blocks.map(({ name, body, table }) => {
      const columns = new Map<string, string>();
      const relations = new Map<string, string>();
      for (const [, field = '', type = '', rest = ''] of body.matchAll(/^ {2}(\w+) +(\w+)(.*)$/gm))
        if (names.has(type)) relations.set(field, lowered(type));
        else columns.set(field, /[^@]@map\("(\w+)"\)/.exec(rest)?.[1] ?? field);
      return [lowered(name), { table, columns, relations }];
    }),
  );
}
