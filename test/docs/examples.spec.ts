import {
  checkRulesDocument,
  endpoints,
  eventCatalogue,
  isProblemCode,
  MusterEvent,
  Problem,
  problems,
  type Endpoint,
  type EventKind,
  viewsOf,
} from '@muster/contracts';
import type { Message } from '@muster/domain';
import { split } from '@muster/solver';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readHosting } from '../../apps/allocator/src/hosting-file.js';
import { parse } from 'yaml';
import { populationFrom } from '../../apps/lab/src/simulate/population-source.js';
import { RateLimitDocument } from '../../libs/platform/src/limits/limit-settings.js';
import { readLogins } from '../../libs/platform/src/logins/login-document.js';
import { readPlayerClaims } from '../../libs/platform/src/logins/player-claims.js';
import { WaitingFacts } from '../../libs/contracts/src/http/queue/tickets.js';
import { examples, type Example } from './pages.js';

const all = examples();
const named = ({ page, line, language, kind }: Example): string =>
  `${page}:${line} ${language} ${kind ?? ''}`;
const of = (...languages: string[]): [string, Example][] =>
  all.filter(({ language }) => languages.includes(language)).map((each) => [named(each), each]);

const folder = mkdtempSync(join(tmpdir(), 'muster-docs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function endpointNamed(name: string): Endpoint {
  const table = new Map(Object.entries<Endpoint>(endpoints));
  const endpoint = table.get(name);
  if (!endpoint) throw new Error(`there is no call ${name}`);
  return endpoint;
}

/** The check of a JSON example, by the first word of its kind. */
const ofJson = new Map<string, (value: unknown, what: string) => [unknown, unknown]>([
  ['body', (value, what) => [endpointNamed(what).body?.safeParse(value).error, undefined]],
  ['answer', (value, what) => [endpointNamed(what).answer?.parse(value), value]],
  [
    'event',
    (value) => {
      const { type, data } = MusterEvent.parse(value);
      const kind = new Map<string, EventKind>(Object.entries(eventCatalogue)).get(type);
      return [kind?.data.strict().safeParse(data).success, true];
    },
  ],
  ['waiting', (value) => [WaitingFacts.parse(value), value]],
  ['message', (value) => [viewsOf([value as Message])?.[0], value]],
  ['claims', (value) => [readPlayerClaims((value as { muster: unknown }).muster) === null, false]],
  [
    'problem',
    (value) => {
      const { type, status, title } = Problem.parse(value);
      const code = type.replace('urn:muster:problem:', '');
      return [isProblemCode(code) && problems[code], { status, title }];
    },
  ],
  ['split', (value) => [value, JSON.parse(JSON.stringify(split(...splitOfDocs())))]],
]);

/** The arguments of the call of `split` in the documents. */
function splitOfDocs(): Parameters<typeof split> {
  const [source] = all.filter(({ kind }) => kind === 'file docs/examples/split.ts');
  const call = /split\(\s*(\{[\s\S]*\}),\s*(\{[^{}]*\}),\s*\);?\s*$/.exec(source?.text ?? '');
  if (!call) throw new Error('docs/solver.md has no call of split');
  // Both are plain values, which YAML parses as TypeScript writes them.
  return [parse(call[1] ?? ''), parse(call[2] ?? '')] as Parameters<typeof split>;
}

describe('the examples in the documents', () => {
  it('have only languages that a test covers', () => {
    // SQL is run by test/stores/roles.spec.ts.
    const covered = ['sql', 'text', 'mermaid', 'lua', 'http', 'json', 'yaml', 'yml', 'ts', 'js', 'sh'];
    expect(all.filter(({ language }) => !covered.includes(language)).map(named)).toEqual([]);
    expect(all.length).toBeGreaterThan(40);
  });

  it.each(of('json'))('%s', (_, { text, kind }) => {
    const value = JSON.parse(text) as Record<string, unknown>;
    // A problem is recognised by its type.
    const said = kind ?? (String(value['type']).startsWith('urn:muster:problem:') ? 'problem' : '');
    const [first = '', what = ''] = said.split(' ');
    const check = ofJson.get(first);
    if (!check)
      throw new Error('State its kind above it: <!-- example: body createTicket -->, answer, problem …');
    const [is, wanted] = check(value, what);
    expect(is).toEqual(wanted);
  });

  it.each(of('yaml', 'yml'))('%s', async (_, { text, kind }) => {
    if (kind === 'population') {
      const file = join(folder, 'population.yaml');
      writeFileSync(file, text);
      await expect(populationFrom(file)).resolves.toBeDefined();
      return;
    }
    if (kind === 'hosting' || kind === 'fleet') {
      const hosting = join(folder, 'hosting.yaml');
      const example = (name: string): string => all.find((each) => each.kind === name)?.text ?? '';
      writeFileSync(join(folder, 'fleet.yaml'), example('fleet'));
      // The keys of the example are in no file.
      writeFileSync(hosting, example('hosting').replaceAll(/'@[^']*'/g, "'secret'"));
      expect(readHosting(hosting).providers.get('rack')).toMatchObject({ servers: { length: 3 } });
      return;
    }
    if (kind?.startsWith('logins ')) {
      expect(readLogins(text)).toMatchObject({ ok: true });
      return;
    }
    if (kind === 'limits') return void RateLimitDocument.parse(parse(text));
    const value = parse(text, { merge: true }) as Record<string, unknown>;
    const whole = { name: 'q', mode: 'm', pool: 'default', teams: 2, teamSize: 5, maxPartySize: 5 };
    const windows = [{ afterSeconds: 0, limit: null }];
    const rest = { skillWindow: windows, teamGap: windows, latencyLimitMs: windows };
    const times = { ticketTtlSeconds: 600, placementTimeoutSeconds: 300 };
    // Some fields of queue rules are shown alone.
    const rules =
      !('queues' in value) && !('name' in value) ? { ...whole, ...rest, ...times, ...value } : value;
    expect(checkRulesDocument(rules)).toMatchObject({ ok: true });
  });

  it.each(of('http'))('%s', (_, { text }) => {
    expect(() => JSON.parse(text.slice(text.indexOf('\n\n'))) as unknown).not.toThrow();
  });

  it.each(of('ts', 'js'))('%s', (_, { text, kind }) => {
    const file = /^file (\S+)$/.exec(kind ?? '')?.[1] ?? '';
    if (!existsSync(file))
      throw new Error('State the file above it: <!-- example: file docs/examples/split.ts -->');
    // `npm run types` checks the file's types; a test runs it.
    expect(readFileSync(file, 'utf8').trimEnd()).toBe(text);
  });
});

describe('shell examples in the documents', () => {
  const scripts = (JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> })
    .scripts;
  /** Command lines, without comments and the tails of quoted arguments. */
  const commands = (text: string): string[] =>
    text
      .replaceAll(/\\\n/g, ' ')
      .replaceAll(/'[^']*'|"[^"]*"/g, (quoted) => quoted.replaceAll('\n', ' '))
      .split('\n')
      .flatMap((line) => line.replace(/(^|\s)#.*$/, '').split(/\s\|\s/))
      .map((line) => line.trim().replace(/^(?:[A-Z_]+=(?:'[^']*'|\S*)\s+)+/, ''))
      .filter((line) => line !== '');

  /** Blocks that another test runs. */
  const elsewhere = new Map([
    ['story:curl', 'test/e2e/readme.story.ts'],
    ['session:setup', 'test/e2e/line-protocol.spec.ts'],
    ['session:nc', 'test/e2e/line-protocol.spec.ts'],
    ['run', 'test/e2e/docs.spec.ts'],
  ]);

  it('are run by the test of their mark', () => {
    const marks = [...new Set(of('sh').flatMap(([, { kind }]) => kind ?? []))];
    for (const mark of marks) {
      const test = readFileSync(elsewhere.get(mark) ?? `no test of ${mark}`, 'utf8');
      for (const part of mark.split(':')) expect(test).toContain(part);
    }
  });

  /** Whether a command exists, with existing paths. */
  function isThere(command: string): boolean {
    const [program = '', ...words] = command.split(/\s+/);
    const paths = words
      .filter((word) => /\.m?[jt]s$/.test(word) || word.includes('/'))
      .map((word) => word.replace(/^--\w+=/, ''));
    switch (program) {
      case 'npm': {
        const name = words[0] === 'run' ? words.slice(1).find((word) => !word.startsWith('-')) : words[0];
        return name === 'ci' || (name !== undefined && name in scripts);
      }
      case 'node':
        return paths.length > 0 && paths.every((path) => existsSync(path));
      case 'npx':
        return paths.every((path) => existsSync(path));
      // `npm run test:images` runs them. Their files must exist.
      case 'docker':
        return words.filter((word) => word.startsWith('docker/')).every((path) => existsSync(path));
      // test/e2e/docs.spec.ts checks its arguments with the program itself.
      case 'muster':
        return true;
      case '$EDITOR':
        return words.length === 1;
      default:
        return false;
    }
  }

  it.each(of('sh').filter(([, { kind }]) => kind === null))(
    '%s names existing programs; others are run and marked <!-- example: run -->',
    (_, { text }) => {
      expect(commands(text).filter((command) => !isThere(command))).toEqual([]);
    },
  );
});
