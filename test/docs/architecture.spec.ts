import { endpoints, jobQueues, type Endpoint } from '@muster/contracts';
import { matchTransitions } from '@muster/testing';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeIn, readPage, tableAfter } from './pages.js';

const services = ['queue', 'assignment', 'allocator', 'rating'] as const;

const schema = readFileSync('prisma/schema.prisma', 'utf8');

/** Tables by the names of Prisma's client. */
const tables = new Map(
  [...schema.matchAll(/^model (\w+) \{[\s\S]*?@@map\("(\w+)"\)/gm)].map(([, model = '', table = '']) => [
    `${model.charAt(0).toLowerCase()}${model.slice(1)}`,
    table,
  ]),
);
tables.set('ledgerSequence', 'ledger_sequence');

/** Tables that a source's statements write. */
function writtenBy(source: string): string[] {
  const raw = [...source.matchAll(/\b(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)/g)].map(
    ([, table = '']) => table,
  );
  const built = [...source.matchAll(/\b(?:db|tx)\s*\.(\w+)\s*\.(?:create|update|upsert|delete)/g)].map(
    ([, model = '']) => tables.get(model) ?? model,
  );
  const drawn = source.includes("nextval('ledger_sequence')") ? ['ledger_sequence'] : [];
  return [...raw, ...built, ...drawn].filter(
    (table) => [...tables.values()].includes(table) && table !== 'outbox',
  );
}

function sources(app: string): string[] {
  const folder = `apps/${app}`;
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /^(src|lua)\/.*(?<!\.spec)\.(ts|lua)$/.test(file) && !file.includes('/generated/'))
    .map((file) => readFileSync(`${folder}/${file}`, 'utf8'));
}

/** The first words of the keys below the realm's root that scripts and stores name. */
function keysOf(app: string): string[] {
  const named = /\broot \.\. ':([a-z-]+)|[rR]oot(?:\(\w+\))?\}:([a-z-]+)/g;
  const found = sources(app).flatMap((text) =>
    [...text.matchAll(named)].map(([, inLua, inStore]) => inLua ?? inStore ?? ''),
  );
  return [...new Set(found)].toSorted();
}

describe('ARCHITECTURE.md', () => {
  const rows = tableAfter('ARCHITECTURE.md', '## Who owns what');

  it.each(services)('lists the tables that %s writes', (service) => {
    const receivesResults = service === 'allocator' || service === 'rating';
    const shared = receivesResults ? [readFileSync('libs/platform/src/habits/habit-notes.ts', 'utf8')] : [];
    const written = [...sources(service), ...shared].flatMap(writtenBy);
    const [, said = ''] = rows.find(([name = '']) => codeIn(name)[0] === service) ?? [];
    expect(
      codeIn(said)
        .filter((code) => [...tables.values()].includes(code))
        .toSorted(),
    ).toEqual([...new Set(written)].toSorted());
  });

  it.each(services)('lists the keys of %s', (service) => {
    const [, , said = ''] = rows.find(([name = '']) => codeIn(name)[0] === service) ?? [];
    expect(codeIn(said).toSorted()).toEqual(keysOf(service));
  });

  it('says that only services know their keys: the command line names none', () => {
    expect(keysOf('cli')).toEqual([]);
  });

  it('names every job queue, and only existing tables', () => {
    const page = readPage('ARCHITECTURE.md');
    expect(Object.values(jobQueues).filter((name) => !page.includes(name))).toEqual([]);
    expect([...tables.values()].filter((table) => !page.includes(`\`${table}\``))).toEqual([]);
  });

  it('lists no loop; docs/recovery.md lists all of them', () => {
    const loops = services.flatMap((service) =>
      sources(service).flatMap((source) =>
        [...source.matchAll(/(?:@Every(?:<\w+>)?|background\.every)\(\s*'([^']+)'/g)].map(
          ([, name = '']) => name,
        ),
      ),
    );
    const told = tableAfter('docs/recovery.md', '## Reconcilers').map(([name = '']) => name);
    // The matcher recovers nothing: it belongs to the life of a ticket.
    expect(loops.filter((name) => name !== 'matcher' && !told.includes(name))).toEqual([]);
    expect(loops.length).toBeGreaterThan(10);
  });

  it('has the transitions of the code, and the states of the database', () => {
    const code = (name: string): string => `\`${name}\``;
    const transitions = matchTransitions.map(({ from, to, owner, guard }) => [
      `${from.map(code).join(', ')} → ${code(to)}`.trim(),
      owner,
      guard,
    ]);
    expect(tableAfter('ARCHITECTURE.md', '## Match state machine')).toEqual(transitions);
    const states = /"match_state_known" CHECK \("state" IN \(([^)]*)\)/.exec(
      readFileSync('prisma/migrations/20261121000000_first/migration.sql', 'utf8'),
    );
    const known = [...(states?.[1] ?? '').matchAll(/'(\w+)'/g)].map(([, state = '']) => state);
    expect([...new Set(matchTransitions.map(({ to }) => to))].toSorted()).toEqual(known.toSorted());
  });
});

describe('docs/invariants.md', () => {
  it('links to existing files', () => {
    const names = new Set(
      ['apps', 'libs', 'test']
        .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }))
        .filter((path) => !/(^|\/)(node_modules|dist)\//.test(path))
        .map((path) => basename(path)),
    );
    const cited = codeIn(readPage('docs/invariants.md')).filter((code) => /\.(ts|lua)$/.test(code));
    expect(cited.filter((file) => !names.has(file))).toEqual([]);
    expect(cited.length).toBeGreaterThan(30);
  });
});

describe('docs/operations.md', () => {
  it('routes every path to the service that answers it', () => {
    const routes = tableAfter('docs/operations.md', 'An ingress routes by path').flatMap(
      ([service = '', paths = '']) =>
        codeIn(paths).map((path) => ({ service: codeIn(service)[0] ?? '', path })),
    );
    /** The length of the match of a path and a route, or none. `*` is one segment, `…` at the end is any number. */
    const fit = (path: string, route: string): number => {
      const pattern = route.replaceAll('.', '\\.').replaceAll('*', '[^/]+').replace(/…$/, '(?:/.*)?');
      return new RegExp(`^${pattern}$`).test(path) ? route.replaceAll(/[*…]/g, '').length : -1;
    };
    const wrong = Object.values<Endpoint>(endpoints).flatMap(({ path, service }) => {
      const [best] = routes
        .map((route) => ({ ...route, said: fit(path, route.path) }))
        .filter(({ said }) => said >= 0)
        .toSorted((a, b) => b.said - a.said);
      return best?.service === service
        ? []
        : [`${path} goes to ${best?.service ?? 'nobody'}, not to ${service}`];
    });
    expect(wrong).toEqual([]);
  });
});
