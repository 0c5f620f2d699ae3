import { endpoints, problems, queueRulesShape, type Endpoint } from '@muster/contracts';
import { policyNames, scrambleModes } from '@muster/domain';
import { loadSync } from '@grpc/proto-loader';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { modelKinds } from '../../libs/skill/src/models.js';
import { WaitingFacts } from '../../libs/contracts/src/http/queue/tickets.js';
import { RosterEventBody } from '../../libs/contracts/src/http/assignment/live-sessions.js';
import { codeIn, pages, readPage, tableAfter } from './pages.js';

const withoutExamples = (page: string): string => readPage(page).replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');

describe('docs/http.md', () => {
  it('has exactly the problems with their statuses', () => {
    const rows = tableAfter('docs/http.md', '| status | `urn:muster:problem:');
    const said = rows.map(([status = '', code = '']) => `${status} ${codeIn(code).join(' ')}`);
    const there = Object.entries(problems).map(([code, { status }]) => `${status} ${code}`);
    expect(said.toSorted()).toEqual(there.toSorted());
  });

  it('has every roster event with its fields', () => {
    const rows = tableAfter('docs/http.md', '<!-- table: roster events -->');
    const said = rows.map(([kind = '', fields = '']) => [codeIn(kind)[0], ...codeIn(fields)].join(' '));
    const there = RosterEventBody.options.map(({ shape }) =>
      [shape.kind.value, ...Object.keys(shape).filter((field) => field !== 'seq' && field !== 'kind')].join(
        ' ',
      ),
    );
    expect(said.toSorted()).toEqual(there.toSorted());
  });
});

describe('calls in the documents', () => {
  const calls = Object.values<Endpoint>(endpoints);

  it('exist', () => {
    const patterns = calls.map(
      ({ method, path }) =>
        new RegExp(`^${method} ${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`),
    );
    const unknown = pages.flatMap((page) =>
      [...readPage(page).matchAll(/\b(GET|POST|PUT|DELETE) (\/v1\/[^\s`?"'|)]+)/g)]
        .map(([, method = '', path = '']) => `${method} ${path.replace(/[.,:;]$/, '')}`)
        .filter((call) => !call.includes('…') && !patterns.some((pattern) => pattern.test(call)))
        .map((call) => `${page}: ${call}`),
    );
    expect(unknown).toEqual([]);
  });

  it('are complete', () => {
    const told = pages.map(withoutExamples).join('\n');
    const untold = calls.filter(
      ({ path }) => !new RegExp(`${path.replaceAll('.', '\\.')}(?![\\w/:])`).test(told),
    );
    expect(untold.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });
});

describe('docs/operations.md', () => {
  /** Files with settings: capitalised names with a schema. */
  const schemas = [
    'libs/platform/src',
    ...['queue', 'assignment', 'allocator', 'rating'].map((app) => `apps/${app}/src`),
    'apps/edge/src',
  ].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  const settings = new Set(
    schemas
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
      .flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(/^ {2,4}([A-Z][A-Z0-9]*_[A-Z0-9_]+|REALM|POOLS): /gm)].map(
          ([, name = '']) => name,
        ),
      ),
  );

  it('documents exactly the existing settings', () => {
    const section = readPage('docs/operations.md')
      .split(/^## /m)
      .find((part) => part.startsWith('Settings'));
    const told = [...(section ?? '').matchAll(/^\|(.*?)\|(.*?)\|/gm)].flatMap(([, first = '', second = '']) =>
      codeIn(`${first} ${second}`).filter((name) => /^[A-Z][A-Z0-9_]+$/.test(name)),
    );
    const everywhere = codeIn(withoutExamples('docs/operations.md'));
    expect([...settings].filter((name) => !everywhere.includes(name))).toEqual([]);
    expect(told.filter((name) => !settings.has(name))).toEqual([]);
    expect(settings.size).toBeGreaterThan(40);
  });
});

describe('docs/grpc.md', () => {
  it('documents every call of the .proto files', () => {
    const folder = 'libs/contracts/proto';
    const calls = readdirSync(folder).flatMap((file) =>
      Object.entries(loadSync(`${folder}/${file}`)).flatMap(([name, definition]) =>
        'format' in definition
          ? []
          : Object.keys(definition).map((call) => `${name.split('.').at(-1)}.${call}`),
      ),
    );
    const told = tableAfter('docs/grpc.md', '## The calls').map(([call = '']) => codeIn(call)[0]);
    expect(told.toSorted()).toEqual(calls.toSorted());
  });

  it('covers files whose calls and fields are all commented', () => {
    for (const file of readdirSync('libs/contracts/proto')) {
      const lines = readFileSync(`libs/contracts/proto/${file}`, 'utf8').split('\n');
      const bare = lines.filter(
        (line, i) =>
          /^\s+(rpc |(repeated )?\w+ \w+ = )/.test(line) && !lines[i - 1]?.trimStart().startsWith('//'),
      );
      expect(bare).toEqual([]);
    }
  });
});

describe('names in the documents', () => {
  it.each([
    ['docs/rating.md', 'rating models', modelKinds.map(({ name }) => name)],
    ['docs/live-balance.md', 'policies', policyNames],
    ['docs/live-balance.md', 'modes of scrambles', scrambleModes],
    ['docs/http.md', 'rules that may block a ticket', WaitingFacts.shape.rule.options],
  ])('%s has all %s', (page, _, names) => {
    const told = codeIn(withoutExamples(page));
    expect(names.length).toBeGreaterThan(3);
    expect(names.filter((name) => !told.includes(name))).toEqual([]);
  });

  it('docs/rules.md has exactly the fields of rules', () => {
    const rows = tableAfter('docs/rules.md', '## Field by field');
    const told = new Set(
      rows.flatMap(([fields = '']) => codeIn(fields).map((field) => field.split('.')[0] ?? '')),
    );
    const shape = Object.keys(queueRulesShape);
    expect([...told].toSorted()).toEqual(shape.toSorted());
  });
});

describe('npm scripts in the documents', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const named = pages
    .flatMap((page) => [...readPage(page).matchAll(/npm (?:run (?:-s )?)?([a-z]+(?::[a-z0-9-]+)?)\b(?!:)/g)])
    .map(([, name = '']) => name)
    .filter((name) => name !== 'ci' && name !== 'run');

  it('exist in package.json', () => {
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('are complete', () => {
    expect(Object.keys(scripts).filter((name) => !named.includes(name))).toEqual([]);
  });
});

describe('README.md and ARCHITECTURE.md', () => {
  it.each([
    ['README.md', 1100],
    ['ARCHITECTURE.md', 1800],
  ])('%s has at most %i words', (page, most) => {
    expect(readPage(page).trim().split(/\s+/).length).toBeLessThanOrEqual(most);
  });
});
