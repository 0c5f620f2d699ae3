import { describe, expect, it } from 'vitest';
import type { Topic } from '../attacks/attack.js';
import { topics } from '../attacks/table.js';
import { readPage } from './pages.js';

const page = 'docs/security.md';
const begin = '<!-- attacks: from test/attacks -->';
const end = '<!-- end of attacks -->';

const escaped = (text: string): string => text.replaceAll('|', String.raw`\|`).replaceAll('<', '&lt;');

/** The rows of a topic; what its services may spend on all of them. */
function sectionOf({ name, about, attacks, bounds }: Topic): string {
  return [
    `### ${name}`,
    '',
    `${about} At most ${bounds.processorSeconds} s of processor time and ${bounds.memoryMiB} MiB for the ${attacks.length} together.`,
    '',
    '<!-- prettier-ignore -->',
    '| attack | what comes of it |',
    '| --- | --- |',
    ...attacks.map(({ title, comes }) => `| ${escaped(title)} | ${escaped(comes)} |`),
    '',
  ].join('\n');
}

describe('docs/security.md', () => {
  it('shows the attack table (vitest -u regenerates it)', async () => {
    const [before = '', rest = ''] = readPage(page).split(begin);
    const [, after = ''] = rest.split(end);
    const table = `${begin}\n\n${topics.map(sectionOf).join('\n')}\n${end}`;
    await expect(`${before}${table}${after}`).toMatchFileSnapshot(`../../${page}`);
  });

  it('has at least a hundred attacks, each told once', () => {
    const titles = topics.flatMap(({ name, attacks }) => attacks.map(({ title }) => `${name}: ${title}`));
    expect(titles.length).toBeGreaterThanOrEqual(100);
    expect(new Set(titles).size).toBe(titles.length);
  });
});
