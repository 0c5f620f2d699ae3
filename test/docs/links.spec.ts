import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const markdownIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));

const packages = ['libs', 'libs/lab', 'apps'].flatMap((folder) =>
  readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => existsSync(join(path, 'package.json'))),
);

const pages = [
  ...markdownIn('.'),
  ...markdownIn('docs'),
  ...markdownIn('docs/adr'),
  ...packages.map((path) => join(path, 'README.md')).filter((path) => existsSync(path)),
];

const withoutCode = (path: string): string =>
  readFileSync(path, 'utf8')
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]()]/g, ''));

/** The anchors of a page's headings, as GitHub generates them. */
const anchors = (path: string): string[] =>
  [...withoutCode(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  );

describe('links in the documents', () => {
  it.each(pages)('%s has no broken link', (path) => {
    const broken = [...withoutCode(path).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => {
        const [file = '', anchor] = target.split('#');
        const there = file === '' ? path : join(dirname(path), file);
        if (!existsSync(there)) return true;
        return anchor !== undefined && !anchors(there).includes(anchor);
      });
    expect(broken).toEqual([]);
  });

  it('of the index of decisions are complete', () => {
    const index = readFileSync('docs/adr/README.md', 'utf8');
    const missing = markdownIn('docs/adr').filter(
      (path) => !path.endsWith('README.md') && !index.includes(path.replace('docs/adr/', '')),
    );
    expect(missing).toEqual([]);
  });
});

describe('libraries and apps', () => {
  it.each(packages)('%s has a README with its purpose and what it may import', (path) => {
    const text = readFileSync(join(path, 'README.md'), 'utf8');
    expect(text).toMatch(/^# /);
    expect(text).toContain('May import');
    expect(text.trim().split('\n').length).toBeLessThanOrEqual(20);
  });
});
