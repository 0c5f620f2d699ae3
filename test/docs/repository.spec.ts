import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const read = (path: string): string => readFileSync(join(process.cwd(), path), 'utf8');
const manifest = z
  .object({ engines: z.object({ node: z.string() }), scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read('package.json')));

const Workflow = z.object({
  jobs: z.record(
    z.string(),
    z.object({
      steps: z.array(
        z.object({
          uses: z.string().optional(),
          run: z.string().optional(),
          with: z.record(z.string(), z.unknown()).optional(),
        }),
      ),
    }),
  ),
});

const Field = z.object({ type: z.string(), id: z.string().optional(), attributes: z.looseObject({}) });
const IssueForm = z.object({ name: z.string(), description: z.string(), body: z.array(Field).min(1) });

describe('the workflow', () => {
  const steps = Object.values(Workflow.parse(parse(read('.github/workflows/ci.yml'))).jobs).flatMap(
    (job) => job.steps,
  );

  it('runs existing scripts of package.json', () => {
    const called = steps.flatMap(({ run = '' }) =>
      [...run.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name),
    );
    expect(called).toContain('check');
    expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(called));
  });

  it('uses the lowest Node that Muster supports', () => {
    const lowest = /\d+\.\d+/.exec(manifest.engines.node)?.[0];
    expect(read('.nvmrc').trim()).toBe(lowest);
    const files = steps
      .filter(({ uses }) => uses?.startsWith('actions/setup-node@'))
      .map((step) => step.with?.['node-version-file']);
    expect(new Set(files)).toEqual(new Set(['.nvmrc']));
  });
});

describe('an issue form', () => {
  const folder = '.github/ISSUE_TEMPLATE';
  const forms = readdirSync(join(process.cwd(), folder)).filter((name) => name !== 'config.yml');

  it.each(forms)('%s has a name, a description and fields with unique ids', (name) => {
    const { body } = IssueForm.parse(parse(read(join(folder, name))));
    const ids = body.filter(({ type }) => type !== 'markdown').map(({ id }) => id);
    expect(ids).not.toContain(undefined);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

it('every changeset names a package and describes the change', () => {
  const waiting = readdirSync(join(process.cwd(), '.changeset')).filter(
    (name) => name.endsWith('.md') && name !== 'README.md',
  );
  const form = /^---\n('@muster\/[\w-]+': (patch|minor|major)\n)+---\n\n\S/;
  expect(waiting.filter((name) => !form.test(read(join('.changeset', name))))).toEqual([]);
});
