import { messageCodes } from '@muster/contracts';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = process.cwd();
const catalogues = /^libs\/(domain|contracts)\/src\/messages\//;

/** Every source file of libraries and apps but tests, what is generated, and the catalogue itself. */
const sources = ['libs', 'apps'].flatMap((folder) =>
  readdirSync(join(root, folder)).flatMap((name) => filesUnder(join(root, folder, name, 'src'))),
);

function filesUnder(folder: string): { path: string; text: string }[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?<!\.spec|\.d)\.ts$/.test(name) && !name.includes('generated'))
      .map((name) => join(folder, name))
      .map((file) => ({ path: relative(root, file), text: readFileSync(file, 'utf8') }))
      .filter(({ path }) => !catalogues.test(path));
  } catch {
    return [];
  }
}

describe('messages', () => {
  it('that are in the catalogue are used, each of them', () => {
    const used = new Set(
      sources.flatMap(({ text }) => [...text.matchAll(/'([a-z-]+\.[a-z-]+)'/g)].map(([, code]) => code)),
    );
    expect(messageCodes.filter((code) => code !== 'verbatim' && !used.has(code))).toEqual([]);
  });
});
