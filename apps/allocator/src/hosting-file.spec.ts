import { speakPlainly } from '@muster/contracts';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readHosting } from './hosting-file.js';

const folder = mkdtempSync(join(tmpdir(), 'muster-hosting-'));
afterAll(() => rmSync(folder, { recursive: true }));

speakPlainly();

function written(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** What is said of a file, without its folder. */
function flawsOf(text: string): string[] {
  const file = written('hosting.yaml', text);
  try {
    readHosting(file);
  } catch (error) {
    return String(error)
      .replaceAll(`${folder}/`, '')
      .split('\n')
      .slice(1)
      .map((line) => line.trim());
  }
  return [];
}

const webhook = 'providers:\n  h: { kind: webhook, url: "https://h.example/a", token: t }\n';

describe('HOSTING_FILE', () => {
  it('has defaults, and takes JSON too', () => {
    const file = written(
      'hosting.json',
      JSON.stringify({
        providers: { h: { kind: 'webhook', url: 'https://h.example/a', secret: 's' } },
        rules: [{ provider: 'h' }, { provider: 'direct' }],
      }),
    );
    expect(readHosting(file).providers.get('h')).toEqual({
      kind: 'webhook',
      url: 'https://h.example/a',
      secret: 's',
      list: false,
      slots: 1,
      maxPending: 20,
      claimSeconds: 120,
      timeoutMs: 5_000,
      concurrency: 8,
    });
  });

  it.each([
    ['', ['hosting.yaml:1:1 must be an object, not null']],
    ['[', [expect.stringMatching(/^hosting.yaml:1:2 .*flow/i)]],
    [`${webhook}rules: []`, ['hosting.yaml:3:8 rules: must have at least one rule']],
    [
      `${webhook}rules:\n  - { provider: h }\n  - { provider: gone }`,
      ['hosting.yaml:5:17 rules[1].provider: names no provider: there are h, direct'],
    ],
    [
      'providers: { h: { kind: webhook, url: "https://h.example" } }\nrules: [{ provider: h }]',
      ['hosting.yaml:1:17 providers.h: must have a secret that signs requests, or a token'],
    ],
    [
      'providers: { h: { kind: cloud } }\nrules: [{ provider: h }]',
      ['hosting.yaml:1:25 providers.h.kind: must be of the kind agones, webhook or static'],
    ],
    [
      'providers:\n  a: { kind: agones, cert: c, key: k, labels: { x: y } }\nrules: [{ provider: a }]',
      ['hosting.yaml:2:6 providers.a: must name either grpc or rest'],
    ],
    [
      'providers:\n  a: { kind: agones, grpc: "h:1", cert: "@/nowhere", key: k, labels: { x: "{city}" } }\nrules: [{ provider: a }]',
      [
        'hosting.yaml:2:41 providers.a.cert: cannot read the file /nowhere',
        'hosting.yaml:2:75 providers.a.labels.x: must be the value of a Kubernetes label; {build} and {region} stand for those that are asked for',
      ],
    ],
    [
      `${webhook}rules: [{ provider: h, region: eu }]`,
      ['hosting.yaml:3:9 rules[0]: there is no field "region" here; do you mean regions?'],
    ],
  ])('says where a flaw is: %j', (text, flaws) => {
    expect(flawsOf(text)).toEqual(flaws);
  });

  it('says which file cannot be read', () => {
    expect(() => readHosting(join(folder, 'gone.yaml'))).toThrow(/^HOSTING_FILE cannot be read: .*gone.yaml/);
    const file = written(
      'h.yaml',
      'providers: { r: { kind: static, file: no.yaml } }\nrules: [{ provider: r }]',
    );
    expect(() => readHosting(file)).toThrow(/^The fleet file cannot be read: .*no.yaml/);
  });

  it('names the flaw of a fleet file by line and path', () => {
    written(
      'fleet.yaml',
      'servers:\n  - { name: a, address: h, ports: [1, 2], build: b, region: eu }\n  - { name: a, address: h, ports: [3, 2], build: b, region: EU }\n  - { name: c, address: h, ports: [70000], build: b, region: eu }\n',
    );
    const flaws = flawsOf('providers: { r: { kind: static, file: fleet.yaml } }\nrules: [{ provider: r }]');
    expect(flaws).toEqual([
      'fleet.yaml:3:39 servers[1].ports[1]: is that of servers[0] too: a server is known by its name and port',
      'fleet.yaml:3:61 servers[1].region: must hold only small letters, digits and - (32 at most)',
      'fleet.yaml:4:36 servers[2].ports[0]: must be at most 65535, not 70000',
    ]);
    written(
      'fleet.yaml',
      'servers:\n  - { name: a, address: h, ports: [1, 2, 1], build: b, region: eu, slots: 3 }\n',
    );
    expect(flawsOf('providers: { r: { kind: static, file: fleet.yaml } }\nrules: [{ provider: r }]')).toEqual(
      [
        'fleet.yaml:2:42 servers[0].ports[2]: is that of servers[0] too: a server is known by its name and port',
      ],
    );
  });
});
