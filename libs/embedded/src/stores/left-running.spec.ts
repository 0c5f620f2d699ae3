import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { howToStop } from './left-running.js';

const commands = new Map([
  [10, '/usr/bin/node /opt/muster/dist/cli.js up'],
  [11, '/opt/postgres/bin/postgres -D /data/postgres/data -c port=5000 '],
  [12, '/usr/bin/redis-server 127.0.0.1:6000 '],
  [13, '/usr/bin/node --enable-source-maps /opt/muster/dist/queue.js '],
  [14, 'vim notes.txt'],
  [15, '/usr/bin/node --enable-source-maps /opt/muster/dist/edge.js '],
]);
const without = (launcher: number) => (pid: number) =>
  Promise.resolve(pid === launcher ? null : (commands.get(pid) ?? null));

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-left-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const write = (run: unknown): Promise<void> =>
  writeFile(join(dataDir, 'run.json'), typeof run === 'string' ? run : JSON.stringify(run));

describe('how to end a run that was left', () => {
  const pids = { redis: 12, postgres: 11, 'queue-1': 13, 'rating-1': 14, 'allocator-1': 99, edge: 15 };

  it('is one line with the processes that still run, services first', async () => {
    await write({ launcher: 10, pids });
    // 14 is the id of another program by now, and nothing runs as 99.
    expect(await howToStop(dataDir, 11, without(10))).toContain('`kill 13 15 12 11`');
  });

  it('is to stop the launcher while that runs: it would start the others again', async () => {
    await write({ launcher: 10, pids });
    expect(await howToStop(dataDir, 11, without(0))).toMatch(/Stop it with Ctrl-C \(or `kill 10`\)/);
  });

  it.each([{}, { launcher: 'x', pids: { postgres: 'y' } }, 'no JSON'])(
    'names the process that was found where the file is %j',
    async (run) => {
      await write(run);
      expect(await howToStop(dataDir, 11, without(10))).toContain('`kill 11`');
    },
  );
});
