import { message } from '@muster/domain';
import { defaultQueues } from '@muster/matchmaking';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readQueues } from './settings.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-queues-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileWith(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

describe('the queues of a first start', () => {
  it('are the built-in ones, which are valid', async () => {
    expect(readQueues(undefined)).toEqual({ rules: defaultQueues, why: [message('rules.built-in')] });
    const file = await fileWith('built-in.json', JSON.stringify(defaultQueues));
    expect(readQueues(file).rules).toEqual(defaultQueues);
  });

  it('may be in a file, as YAML or JSON', async () => {
    const [first] = defaultQueues;
    const one = await fileWith('one.json', JSON.stringify(first));
    expect(readQueues(one).rules).toEqual([first]);
    const two = await fileWith('two.yaml', `queues:\n  - ${JSON.stringify(first)}\n`);
    expect(readQueues(two)).toEqual({
      rules: [first],
      why: [message('rules.from-file', { file: 'two.yaml' })],
    });
  });

  it('keep the service from starting when they are invalid, and say where', async () => {
    const [first] = defaultQueues;
    const file = await fileWith(
      'wrong.yaml',
      `queues:\n  - ${JSON.stringify({ ...first, maxPartySize: 9 })}\n`,
    );
    expect(() => readQueues(file)).toThrow(
      /make no sense:\n {2}\S+wrong\.yaml:2:\d+ queues\[0\]\.maxPartySize: a party/,
    );
    expect(() => readQueues(join(folder, 'none.yaml'))).toThrow(/^QUEUES_FILE cannot be read: .*none\.yaml/);
  });
});
