import { figures, type Figure } from '@muster/contracts';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { alertCases } from '../observe/alerts.js';
import { codeIn, readPage } from './pages.js';

const Rules = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          labels: z.object({ severity: z.enum(['warning', 'critical']) }),
          annotations: z.object({ summary: z.string(), runbook_url: z.string() }),
        }),
      ),
    }),
  ),
});

const rules = Rules.parse(parse(readFileSync('docker/prometheus/rules.yaml', 'utf8'))).groups.flatMap(
  (group) => group.rules,
);
const names = rules.map(({ alert }) => alert);

/** Names of series in an expression or a text. */
const seriesIn = (text: string): string[] =>
  (text.match(/\bmuster_\w+/g) ?? []).filter((name) => name !== 'muster_service');

const known = new Set(
  Object.values<Figure>(figures).flatMap(({ name, kind }) =>
    kind === 'histogram' ? ['_bucket', '_sum', '_count'].map((part) => name + part) : [name],
  ),
);

describe('docs/alerts.md', () => {
  const sections = readPage('docs/alerts.md').split('\n## ').slice(1);

  it('has what each alert means, what players feel, a first command and how to mend it, in the order of the rules', () => {
    expect(sections.map((section) => section.split('\n')[0])).toEqual(names);
    for (const section of sections)
      expect([...section.matchAll(/^- \*\*(\w+)\*\*: /gm)].map(([, part]) => part)).toEqual([
        'Means',
        'Players',
        'First',
        'Mend',
      ]);
  });

  it('names existing figures', () => {
    const named = sections.flatMap((section) => codeIn(section).flatMap(seriesIn));
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('alerts', () => {
  it('lead to their section, are on existing figures, and are tested', () => {
    for (const { alert, annotations } of rules)
      expect(annotations.runbook_url).toBe(`docs/alerts.md#${alert.toLowerCase()}`);
    expect(rules.flatMap(({ expr }) => seriesIn(expr)).filter((name) => !known.has(name))).toEqual([]);
    expect([...new Set(alertCases.map(({ alert }) => alert))].toSorted()).toEqual(names.toSorted());
  });
});
