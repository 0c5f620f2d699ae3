import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkout } from '../prepare/checkout.mjs';
import { recordLookups } from './record-lookups.mjs';

const path = (name) => `libs/domain/src/planted-${name}.ts`;
const head = 'export const f = (shares: Readonly<Record<string, number>>, name: string) =>';

const caught = new Map([
  ['read', `${head} shares[name] ?? 1;\n`],
  ['optional', 'export const f = (of: Record<string, number> | undefined, name: string) => of?.[name];\n'],
  ['written', 'export const f = (of: Record<string, number>, name: string) => (of[name] = 1);\n'],
  ['in', `${head} name in shares;\n`],
  ['unpacked', `${head} { const { [name]: share } = shares; return share; };\n`],
  ['mapped', 'export const f = (of: { [id: string]: number }, ids: string[]) => ids.map((id) => of[id]);\n'],
]);
const passed = new Map([
  ['own', `import { own } from './own.js';\n${head} own(shares, name);\n`],
  ['map', 'export const f = (of: ReadonlyMap<string, number>, name: string) => of.get(name);\n'],
  ['literal', "export const f = (of: Record<string, number>) => of['place'];\n"],
  ['few', "export const f = (of: Record<string, number>, name: 'won' | 'lost') => of[name];\n"],
  ['prefix', 'export const f = (of: Record<string, number>, name: string) => of[`side:${name}`];\n'],
  ['list', 'export const f = (of: readonly number[], at: number) => of[at];\n'],
]);

// `npm run lint` looks into every source.
describe('an external name is not looked up on the prototype of an object', () => {
  const found = recordLookups(
    [],
    new Map([...caught, ...passed].map(([name, code]) => [join(checkout, path(name)), code])),
  );

  it.each([...caught.keys()])('a planted lookup is found: %s', (name) => {
    expect(found.filter((line) => line.startsWith(path(name)))).toHaveLength(1);
  });

  it.each([...passed.keys()])('and a safe one is allowed: %s', (name) => {
    expect(found.filter((line) => line.startsWith(path(name)))).toEqual([]);
  });
});
