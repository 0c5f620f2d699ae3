import { figures, Metrics } from '@muster/platform';
import { describe, expect, it } from 'vitest';
import { codeIn, readPage, tableAfter } from './pages.js';

const exported = async (): Promise<string[]> =>
  [...(await new Metrics({ now: () => 0 }, () => undefined).text()).matchAll(/^# TYPE (\w+) /gm)].map(
    ([, name = '']) => name,
  );

describe('docs/metrics.md', () => {
  it('has exactly the figures with their labels and meanings', () => {
    const rows = tableAfter('docs/metrics.md', '## The figures').map(
      ([name = '', labels = '', , meaning = '']) => [
        codeIn(name)[0],
        codeIn(labels),
        // A row may end with where to read more.
        meaning.replaceAll('`', '').split(/: see |; the limit is /)[0],
      ],
    );
    const said = Object.values(figures).map(({ name, labels }) => [name, [...labels]]);
    expect(rows.map(([name, labels]) => [name, labels]).toSorted()).toEqual(said.toSorted());
    for (const [name, , meaning] of rows) {
      if (name === figures.sourceUp.name) continue;
      const { help } = Object.values(figures).find((each) => each.name === name) ?? { help: '' };
      expect(`${name}: ${help.toLowerCase()}`).toBe(`${String(name)}: ${String(meaning).toLowerCase()}.`);
    }
  });

  it('has exactly the figures of the process', async () => {
    const rows = tableAfter('docs/metrics.md', '## Figures of the process').flatMap(([names = '']) =>
      codeIn(names),
    );
    expect(rows.toSorted()).toEqual(
      (await exported()).filter((name) => !name.startsWith('muster_')).toSorted(),
    );
  });

  it('has queries over existing figures and labels', () => {
    const rows = tableAfter('docs/metrics.md', '## Queries').map(([, query = '']) => codeIn(query)[0] ?? '');
    const known = new Map<string, readonly string[]>(
      Object.values(figures).map(({ name, labels }) => [name, labels]),
    );
    for (const query of rows) {
      const names = [...new Set(query.match(/\bmuster_\w+/g))].filter((name) => name !== 'muster_service');
      expect(names.filter((name) => !known.has(name))).toEqual([]);
      const labels = names.flatMap((name) => known.get(name) ?? []);
      const grouped = [...query.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', '));
      expect(grouped.filter((label) => !labels.includes(label))).toEqual([]);
    }
    expect(rows.length).toBeGreaterThan(5);
    expect(readPage('docs/metrics.md')).toContain('never with `sum`');
  });
});
