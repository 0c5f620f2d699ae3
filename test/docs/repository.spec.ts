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

describe('every workflow', () => {
  const folder = '.github/workflows';
  const files = readdirSync(join(process.cwd(), folder));

  it.each(files)('%s names actions by a commit, and gives none more rights than it needs', (file) => {
    const text = read(join(folder, file));
    const used = [...text.matchAll(/uses: (\S+)(.*)/g)].map(([, action, comment]) => `${action}${comment}`);
    expect(used.length).toBeGreaterThan(0);
    for (const each of used) expect(each).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    const workflow = z
      .object({ permissions: z.record(z.string(), z.string()) })
      .and(Workflow)
      .parse(parse(text));
    expect(workflow.permissions).toEqual({ contents: 'read' });
    const jobs = Object.values(workflow.jobs).flatMap(({ steps }) => steps);
    for (const { uses = '', with: inputs } of jobs)
      if (uses.startsWith('actions/checkout@'))
        expect(inputs).toMatchObject({ 'persist-credentials': false });
    // A title or a branch is text of others: as part of a script it would be one.
    for (const { run = '' } of jobs) expect(run).not.toMatch(/\$\{\{\s*github\.(event|head_ref|ref_name)/);
  });

  it('one commit of each action', () => {
    const all = files.flatMap((file) => [...read(join(folder, file)).matchAll(/uses: (\S+)@(\S+)/g)]);
    const commits = new Map<string, Set<string>>();
    for (const [, action = '', commit = ''] of all)
      commits.set(action, (commits.get(action) ?? new Set()).add(commit));
    expect([...commits].filter(([, some]) => some.size > 1)).toEqual([]);
  });

  it('the release builds each image of the Dockerfile', () => {
    const targets = [...read('docker/Dockerfile').matchAll(/^FROM (?:service|runtime) AS (\w+)$/gm)]
      .map(([, name]) => name)
      .filter((name) => name !== 'service');
    const released = [...read('.github/workflows/release.yml').matchAll(/target: (\w+), image/g)];
    expect(released.map(([, name]) => name).toSorted()).toEqual(targets.toSorted());
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
