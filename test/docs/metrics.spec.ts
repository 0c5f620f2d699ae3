import {
  figures,
  figuresByTheme,
  type CounterName,
  type Figure,
  type FigureName,
  type HistogramName,
  type LabelsOf,
} from '@muster/contracts';
import { Metrics } from '@muster/platform';
import { spawnSync } from 'node:child_process';
import { format, resolveConfig } from 'prettier';
import { describe, expect, it } from 'vitest';
import { codeIn, readPage, tableAfter } from './pages.js';

const page = 'docs/metrics.md';

const exported = async (): Promise<string[]> =>
  [...(await new Metrics({ now: () => 0 }, () => undefined).text()).matchAll(/^# TYPE (\w+) /gm)].map(
    ([, name = '']) => name,
  );

/** Where figures begin and end on the page. */
const [begin, end] = ['<!-- figures: made from the code -->', '<!-- end of figures -->'] as const;

/** Labels are names that operators give, or of lists in the code: players, tickets and matches add no series. */
const givenByOperators = ['queue', 'region', 'pool', 'webhook'];
const listed = (
  'certificate endpoint figure invariant job_queue kind limit loop method muster_service outcome owner problem rule source state ' +
  'status'
).split(' ');

const kindOf = ({ kind, scope }: Figure): string => (scope === 'process' ? `${kind}, process` : kind);

function tables(): string {
  return Object.entries(figuresByTheme)
    .map(([theme, its]) => {
      const rows = Object.values<Figure>(its).map((figure) => {
        const labels = figure.labels.map((label) => `\`${label}\``).join(', ');
        const { name, from, help, advice } = figure;
        return `| \`${name}\` | ${kindOf(figure)} | ${labels} | ${from} | ${help} | ${advice} |`;
      });
      return [
        `### ${theme}`,
        '',
        '| figure | kind | labels | from | meaning | what to do |',
        '| --- | --- | --- | --- | --- | --- |',
        ...rows,
        '',
      ].join('\n');
    })
    .join('\n');
}

describe('docs/metrics.md', () => {
  it('has exactly the figures of the code (vitest -u regenerates it)', async () => {
    const text = readPage(page);
    const [before = '', rest = ''] = text.split(begin);
    const [, after = ''] = rest.split(end);
    const made = `${before}${begin}\n\n${tables()}\n${end}${after}`;
    const config = await resolveConfig(page);
    await expect(await format(made, { ...config, parser: 'markdown' })).toMatchFileSnapshot(`../../${page}`);
  });

  it('has exactly the figures of the process', async () => {
    const rows = tableAfter(page, '## Figures of the process').flatMap(([names = '']) => codeIn(names));
    expect(rows.toSorted()).toEqual(
      (await exported()).filter((name) => !name.startsWith('muster_')).toSorted(),
    );
  });

  it('has queries over existing figures and labels', () => {
    const rows = tableAfter(page, '## Queries').map(([, query = '']) => codeIn(query)[0] ?? '');
    const known = new Map<string, readonly string[]>(
      Object.values<Figure>(figures).flatMap(({ name, labels, kind }) =>
        kind === 'histogram'
          ? ['_bucket', '_sum', '_count'].map((part) => [`${name}${part}`, [...labels, 'le']] as const)
          : [[name, labels] as const],
      ),
    );
    for (const query of rows) {
      const names = [...new Set(query.match(/\bmuster_\w+/g))].filter((name) => name !== 'muster_service');
      expect(names.filter((name) => !known.has(name))).toEqual([]);
      const labels = names.flatMap((name) => known.get(name) ?? []);
      const grouped = [...query.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', '));
      expect(grouped.filter((label) => !labels.includes(label))).toEqual([]);
    }
    expect(rows.length).toBeGreaterThan(5);
    expect(readPage(page)).toContain('never with `sum`');
  });
});

/** An exposition with a value of every figure. */
function ofAllFigures(): Promise<string> {
  const metrics = new Metrics({ now: () => 0 }, () => undefined);
  const entries = Object.entries<Figure>(figures).map(([name, figure]) => ({
    name: name as FigureName,
    figure,
    labels: Object.fromEntries(figure.labels.map((label) => [label, 'x'])),
  }));
  for (const { name, figure, labels } of entries) {
    if (figure.kind === 'histogram')
      metrics.observe(name as HistogramName, labels as LabelsOf<HistogramName>, 1);
    else if (figure.kind === 'counter' && figure.scope === 'process')
      metrics.count(name as CounterName, labels as LabelsOf<CounterName>);
    else metrics.add({ name, asksStore: false, read: async () => ({ [name]: [{ labels, value: 1 }] }) });
  }
  return metrics.text();
}

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

describe('figures', () => {
  it('are all exported', async () => {
    const text = await ofAllFigures();
    for (const { name, kind } of Object.values<Figure>(figures))
      expect(text).toContain(`# TYPE ${name} ${kind}`);
  });

  it.runIf(hasPromtool)('pass `promtool check metrics`', async () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: await ofAllFigures(),
      encoding: 'utf8',
    });
    expect([status, stdout, stderr]).toEqual([0, '', '']);
  });

  it('have names, units and labels as Prometheus advises, and something to do', () => {
    for (const { name, kind, help, advice, labels, buckets } of Object.values<Figure>(figures)) {
      expect([name, name.endsWith('_total')]).toEqual([name, kind === 'counter']);
      expect([name, help]).toEqual([name, expect.stringMatching(/^[A-Z][^|]*\.$/)]);
      expect([name, advice]).toEqual([name, expect.stringMatching(/\.$/)]);
      expect([name, buckets?.length ?? 0]).toEqual([
        name,
        kind === 'histogram' ? expect.toBeOneOf([6, 7, 8, 9, 10, 11]) : 0,
      ]);
      // Without labels one that is missing would be shown as 0.
      if (kind === 'gauge') expect([name, labels.length]).not.toEqual([name, 0]);
      for (const label of labels) expect([...givenByOperators, ...listed]).toContain(label);
    }
  });
});
