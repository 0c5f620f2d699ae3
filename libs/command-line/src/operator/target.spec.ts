import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findTarget } from './target.js';

let folder: string;
let running: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-replay-'));
  running = join(folder, 'running');
  await mkdir(join(running, 'keys'), { recursive: true });
  await writeFile(join(running, 'keys', 'operator.key'), 'kept\n');
  await writeFile(join(running, 'run.json'), JSON.stringify({ url: 'http://127.0.0.1:7777' }));
});
afterAll(() => rm(folder, { recursive: true }));

describe('findTarget', () => {
  it('prefers the command line to the environment to the local system', async () => {
    const env = { MUSTER_URL: 'http://b.example', MUSTER_OPERATOR_KEY: 'env' };
    const given = { url: 'http://a.example', operatorKey: 'said', dataDir: running };
    expect(await findTarget(given, env)).toEqual({ url: 'http://a.example', operatorKey: 'said' });
    expect(await findTarget({ dataDir: running }, env)).toEqual({
      url: 'http://b.example',
      operatorKey: 'env',
    });
    expect(await findTarget({ dataDir: running }, {})).toEqual({
      url: 'http://127.0.0.1:7777',
      operatorKey: 'kept',
    });
  });

  it('takes an empty variable as unset', async () => {
    const env = { MUSTER_URL: '', MUSTER_OPERATOR_KEY: '' };
    const local = { url: 'http://127.0.0.1:7777', operatorKey: 'kept' };
    expect(await findTarget({ dataDir: running }, env)).toEqual(local);
  });

  it('falls back to the default address without a local system', async () => {
    const target = await findTarget({ dataDir: join(folder, 'none'), operatorKey: 'k' }, {});
    expect(target.url).toBe('http://127.0.0.1:8080');
  });

  it.each(['here', 'ftp://a.example', '127.0.0.1:8080'])('rejects the address %j', async (url) => {
    await expect(findTarget({ url, operatorKey: 'k', dataDir: folder }, {})).rejects.toThrow(
      'is not an address',
    );
  });

  it('reports where it searched for a key', async () => {
    await expect(findTarget({ dataDir: join(folder, 'none') }, {})).rejects.toThrow(
      /no operator key in .*operator\.key.*--operator-key/,
    );
  });
});
