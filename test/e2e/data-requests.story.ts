import type { MyData } from '@muster/contracts';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, jsonOf, problemOf } from '../support/http.js';
import { muster, type Ended } from '../support/muster.js';
import type { Stack } from '../support/stack.js';
import { storiesStack } from './stories-stack.js';

const url = '/v1/me/data';
let stack: Stack;
let folder: string;

const player = (...args: string[]): Promise<Ended> =>
  muster(['player', ...args, '--data-dir', stack.dataDir], {
    DATABASE_URL: stack.run.databaseUrl,
    REDIS_URL: stack.run.redisUrl,
  });
const requestsOf = async (playerId: string): Promise<MyData['requests']> =>
  (await (await stack.player(playerId)).data()).requests;

beforeAll(async () => {
  stack = await storiesStack();
  folder = await mkdtemp(join(tmpdir(), 'muster-exports-'));
  await stack.operator.createPool({ name: 'asked', shadowMatches: 0 });
  for (const [i, other] of ['ask-bob', 'ask-cyd'].entries())
    await stack.operator.reportMatch({
      eventId: `asked-${i}`,
      pool: 'asked',
      teams: [['ask-ann'], [other]],
      ranks: [1, 2],
      names: { 'ask-ann': 'Ann' },
    });
});
afterAll(async () => {
  if (folder) await rm(folder, { recursive: true });
});

describe('a request of a player about their own data', () => {
  it('is that of the token, counts once, and can be withdrawn while it waits', async () => {
    const ann = await stack.player('ask-ann');
    expect(await ann.data()).toEqual({ playerId: 'ask-ann', taken: ['export', 'erasure'], requests: [] });
    const token = await stack.token('ask-ann');
    const first = jsonOf<MyData>(await ask(stack.url, url, { token, method: 'POST' }), 202);
    expect(first.requests).toMatchObject([{ kind: 'export', state: 'waiting', doneAt: null }]);
    expect((await ann.requestExport()).requests).toEqual(first.requests);
    expect((await ann.requestErasure()).requests.map(({ kind }) => kind)).toEqual(['erasure', 'export']);
    expect(await requestsOf('ask-bob')).toEqual([]);
    expect((await ann.withdrawDataRequest('erasure')).requests).toEqual(first.requests);
    expect((await ann.withdrawDataRequest('erasure')).requests).toEqual(first.requests);

    for (const [method, raw] of [
      ['POST', '{"a":1}'],
      ['POST', 'null'],
      ['DELETE', '{"a":1}'],
    ] as const)
      expect(problemOf(await ask(stack.url, url, { token, method, raw }))).toMatchObject({
        status: 400,
        code: 'invalid-request',
      });
    expect(
      jsonOf<MyData>(await ask(stack.url, url, { token, method: 'POST', body: {} }), 202).requests,
    ).toEqual(first.requests);

    const operator = await ask(stack.url, url, { token: stack.run.operatorKey, method: 'DELETE' });
    expect(problemOf(operator)).toMatchObject({ status: 403, code: 'not-allowed' });
    expect(problemOf(await ask(stack.url, `${url}/rating`, { token, method: 'DELETE' }))).toMatchObject({
      status: 400,
      code: 'invalid-request',
    });
  });

  it('is listed, and an export goes to a file that only the operator can read', async () => {
    const listed = await player('requests');
    expect(listed.stdout).toMatch(/ask-ann +export +20/);
    const { code, stdout } = await player('export', '--requested', folder);
    expect([code, stdout]).toEqual([0, 'ask-ann is exported.\n']);
    const [file = '', ...others] = await readdir(folder);
    expect([file, others]).toEqual([expect.stringMatching(/^ask-ann-[0-9a-f]{8}\.json$/), []]);
    expect((await stat(join(folder, file))).mode & 0o077).toBe(0);
    const data = JSON.parse(await readFile(join(folder, file), 'utf8')) as {
      playerId: string;
      tables: Record<string, { rows: object[] }>;
    };
    expect(data.playerId).toBe('ask-ann');
    expect(data.tables['player_name']?.rows).toMatchObject([{ name: 'Ann' }]);
    expect(data.tables['rating']?.rows).toHaveLength(1);

    const [request] = await requestsOf('ask-ann');
    expect(request).toMatchObject({ kind: 'export', state: 'done' });
    // It is done for the time of its retention: asking again makes no more work.
    expect((await (await stack.player('ask-ann')).requestExport()).requests).toEqual([request]);
    expect((await player('export', '--requested', folder)).stdout).toBe('No request waits.\n');
  });

  it('to be erased waits, is carried out, and then the id is that of a stranger', async () => {
    const ann = await stack.player('ask-ann');
    await ann.requestErasure();
    await (await stack.player('ask-bob')).requestErasure();
    await player('hold', 'ask-bob', '--reason', 'A court asked.');
    expect((await player('erase', '--requested')).stdout).toBe('No request waits.\n');

    const { code, stdout } = await player('erase', '--requested', '--after', '0');
    expect(code).toBe(1);
    expect(stdout).toContain('ask-ann is erased.');
    expect(stdout).toContain('Not erased: ask-bob is under a legal hold');
    expect(await ann.data()).toMatchObject({ requests: [] });
    expect(await stack.operator.rating('asked', 'ask-ann')).toMatchObject({ matches: 0, name: null });
    expect(await requestsOf('ask-bob')).toMatchObject([{ kind: 'erasure', state: 'waiting' }]);
    await player('release', 'ask-bob');
    await (await stack.player('ask-bob')).withdrawDataRequest('erasure');
  });

  it('needs a player or --requested, and a reason', async () => {
    for (const [args, words] of [
      [['erase', '--reason', 'x'], 'Name a player, or give --requested'],
      [['erase', 'ask-bob'], 'Name the reason with --reason'],
      [['erase', 'ask-bob', '--requested'], 'not both'],
      [['export'], 'Name a player, or give --requested DIR'],
    ] as const) {
      const { code, stderr } = await player(...args);
      expect([code, stderr]).toEqual([1, expect.stringContaining(words)]);
    }
  });
});
