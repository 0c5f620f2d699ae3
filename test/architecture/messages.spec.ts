import { catalogue } from '@muster/domain';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = process.cwd();
const messages = /^libs\/domain\/src\/messages\//;

/** All sources of libraries and apps, without tests, generated code and the catalogue. */
const sources = ['libs', 'apps'].flatMap((folder) =>
  readdirSync(join(root, folder)).flatMap((name) => filesUnder(join(root, folder, name, 'src'))),
);

function filesUnder(folder: string): { path: string; text: string }[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?<!\.spec|\.d)\.ts$/.test(name) && !name.includes('generated'))
      .map((name) => join(folder, name))
      .map((file) => ({ path: relative(root, file), text: readFileSync(file, 'utf8') }))
      .filter(({ path }) => !messages.test(path));
  } catch {
    return [];
  }
}

const decided = /^(libs\/(domain|matchmaking|live-balance)|apps\/(queue|assignment|allocator|rating))\//;
/** A reason or notice that is a text of several words. */
const sentence =
  /\b(reason|why|words|told|others|everybody|closeReason)\??(: string)?\s*[:=]\s*(['`])[^'`\n]*\w \w/g;

describe('messages', () => {
  it('are used for reasons: decisions and stores contain no sentences', () => {
    const found = sources
      .filter(({ path }) => decided.test(path))
      .flatMap(({ path, text }) => [...text.matchAll(sentence)].map(([match]) => `${path}: ${match}`));
    expect(found).toEqual([]);
    // The pattern matches its target.
    expect("  const reason = 'You left the queue.';".match(sentence)).toHaveLength(1);
    expect('data: { why: `${name} has left` }'.match(sentence)).toHaveLength(1);
  });

  it('of the catalogue are all used', () => {
    const used = new Set(
      sources.flatMap(({ text }) => [...text.matchAll(/'([a-z-]+\.[a-z-]+)'/g)].map(([, code]) => code)),
    );
    expect(Object.keys(catalogue).filter((code) => code !== 'verbatim' && !used.has(code))).toEqual([]);
  });
});
