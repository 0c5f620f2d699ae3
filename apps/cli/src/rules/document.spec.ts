import { flawText, readRulesText, rulesYaml } from '@muster/contracts';
import { defaultQueues } from '@muster/matchmaking';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Document, LineCounter, parseDocument } from 'yaml';
import { readValidRules } from '@muster/command-line/rules/document';

const yaml = `# Arena.
x-shared: &arena
  mode: arena
  pool: default
  teams: 2
  teamSize: 5
  maxPartySize: 5
  skillWindow: &window
    - { afterSeconds: 0, limit: 4 }
    - { afterSeconds: 45, limit: null }
  teamGap: *window
  latencyLimitMs:
    - afterSeconds: 0
      limit: 80
  ticketTtlSeconds: 600
  placementTimeoutSeconds: 300
queues:
  - { <<: *arena, name: ranked }
  - <<: *arena
    name: casual
    maxPartySize: 3
`;

const read = (text: string) => readRulesText(text, { LineCounter, parseDocument });
/** The errors of a text, as printed. */
const said = (text: string): string[] => {
  const rules = read(text);
  return rules.ok ? [] : rules.flaws.map((flaw) => flawText('f.yaml', flaw));
};

describe('a document that would grow when it is read', () => {
  const flowers = 'abcdefghij';
  it.each([
    ['nested brackets', '['.repeat(20_000), 'nested deeper than 200 levels'],
    ['nested fields', '{a: '.repeat(300), 'nested deeper than 200 levels'],
    ['nested lists on one line', '- '.repeat(20_000), 'nested deeper than 200 levels'],
    ['more text than anybody writes', 'x'.repeat(1_000_001), 'longer than 1000000 characters'],
    [
      'aliases of aliases',
      [...flowers]
        .map(
          (name, i) =>
            `${name}: &${name} [${Array(10)
              .fill(i === 0 ? 'x' : `*${flowers[i - 1]}`)
              .join(',')}]`,
        )
        .join('\n'),
      'excessive alias count',
    ],
  ])('is refused: %s', (_says, text, why) => {
    expect(said(text).join()).toContain(why);
  });
});

describe('a text of rules', () => {
  it('may be YAML, with anchors, merges and comments', () => {
    const rules = read(yaml);
    expect(rules).toMatchObject({
      ok: true,
      queues: [
        { name: 'ranked', maxPartySize: 5 },
        { name: 'casual', maxPartySize: 3 },
      ],
      paths: [
        ['queues', 0],
        ['queues', 1],
      ],
    });
    expect(rules.ok && rules.placeOf(['queues', 1, 'maxPartySize'])).toEqual({ line: 21, column: 5 });
  });

  it('may be JSON, in whatever lines and with tabs', () => {
    for (const space of [undefined, 2, '\t'])
      expect(read(JSON.stringify(defaultQueues, null, space))).toMatchObject({
        ok: true,
        queues: defaultQueues,
      });
  });

  it('is the output of "show"', () => {
    const [first] = defaultQueues;
    const rules = read(JSON.stringify(defaultQueues));
    if (!rules.ok || !first || !rules.queues[0]) throw new Error('the built-in queues are valid');
    expect(read(rulesYaml({ queues: rules.queues }, { Document }))).toMatchObject({
      ok: true,
      queues: defaultQueues,
    });
    expect(read(rulesYaml(rules.queues[0], { Document }))).toMatchObject({ ok: true, queues: [first] });
    expect(rulesYaml(rules.queues[0], { Document })).toContain('  - { afterSeconds: 45, limit: null }\n');
  });

  it.each<[what: string, text: string, ...lines: string[]]>([
    ['nothing', '', 'f.yaml:1:1 the document is empty; write the rules of one queue'],
    ['comments alone', '# rules\n', 'f.yaml:1:1 the document is empty'],
    ['a comma too many', '{\n  "name": "a",,\n}', 'f.yaml:2:15 unexpected , in flow map'],
    ['what is not closed', 'queues: [\n', 'f.yaml:2:1 '],
    ['a key twice', 'name: a\nname: b', 'f.yaml:2:1 map keys must be unique'],
    ['an alias of nothing', 'queues: *none', 'f.yaml:1:1 cannot be read: unresolved alias'],
    ['two documents', 'a: 1\n---\nb: 2', 'f.yaml:2:1 is a second document'],
    [
      'an empty limit',
      yaml.replace('limit: 80', 'limit:'),
      'f.yaml:14:7 x-shared.latencyLimitMs[0].limit: is left empty; write null',
    ],
    [
      'an invalid value',
      yaml.replace('maxPartySize: 3', 'maxPartySize: 6'),
      'f.yaml:21:5 queues[1].maxPartySize: a party must fit into a team',
    ],
    [
      'an unknown field',
      yaml.replace('    maxPartySize: 3', '    partySize: 3'),
      'f.yaml:21:5 queues[1].partySize: there is no field "partySize" here; do you mean maxPartySize?',
    ],
    [
      'an error in an alias, at the alias',
      yaml.replace('name: casual', 'name: casual\n    ticketTtlSeconds: 40'),
      'f.yaml:19:5 queues[1].skillWindow[1].afterSeconds: is never reached',
      'f.yaml:19:5 queues[1].teamGap[1].afterSeconds: is never reached',
    ],
    [
      'a missing field, at its parent',
      'queues:\n  - name: a\n    mode: m\n    pool: p\n    teams: 2\n    teamSize: 1\n    maxPartySize: 1\n    skillWindow: [{ afterSeconds: 0, limit: 4 }]\n    teamGap: [{ afterSeconds: 0, limit: 4 }]\n    latencyLimitMs: [{ afterSeconds: 0 }]\n    ticketTtlSeconds: 9\n    placementTimeoutSeconds: 9\n',
      'f.yaml:10:22 queues[0].latencyLimitMs[0].limit: is missing',
    ],
  ])('is rejected with position and reason: %s', (_what, text, ...lines) => {
    expect(said(text)).toEqual(lines.map((line) => expect.stringContaining(line)));
  });

  it('is what docs/rules.md shows', () => {
    const examples = [...readFileSync('docs/rules.md', 'utf8').matchAll(/```yaml\n(.*?)```/gs)];
    expect(examples.length).toBeGreaterThan(2);
    for (const [, text = ''] of examples) expect(said(text)).toEqual([]);
  });

  it('cannot expand without bound', () => {
    const rows = Array.from({ length: 20 }, (_, i) => `x${i + 1}: &x${i + 1} [*x${i}, *x${i}, *x${i}]`);
    expect(said(`x0: &x0 [1]\n${rows.join('\n')}`)).toEqual([
      expect.stringMatching(/1:1 cannot be read: excessive/),
    ]);
  });
});

describe('a file of rules', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-rules-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('that is invalid is reported line by line', async () => {
    const file = join(folder, 'rules.yaml');
    await writeFile(file, yaml.replaceAll('limit: 4', 'limit: -4'));
    await expect(readValidRules(file)).rejects.toThrow(
      `${file}:18:5 queues[0].skillWindow[0].limit: must be`,
    );
  });

  it('that does not exist is reported', async () => {
    await expect(readValidRules(join(folder, 'none.yaml'))).rejects.toThrow(
      /none\.yaml is not there; give the path/,
    );
    await expect(readValidRules(folder)).rejects.toThrow(/is a folder/);
  });
});
