import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { ManagedProcess } from './managed-process.js';
import { Supervisor } from './supervisor.js';

const dirs: string[] = [];
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});

/** A process that writes a mebibyte, more than a pipe holds, and then reports that it is done. */
function talker(name: string, done: () => void): ManagedProcess {
  const program = `for (let i = 0; i < 1024; i++) require('node:fs').writeSync(1, 'x'.repeat(1023) + '\\n');
    console.log('done'); setInterval(() => {}, 1000);`;
  return {
    name,
    command: process.execPath,
    args: ['-e', program],
    env: {},
    stopSignal: 'SIGTERM',
    ready: () => Promise.resolve(),
    onLine: (line) => {
      if (line === 'done') done();
    },
  };
}

it('processes whose logs cannot be written keep running, and it is reported once', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'muster-supervisor-'));
  dirs.push(dataDir);
  const said: string[] = [];
  const supervisor = new Supervisor(dataDir, (line) => said.push(line));
  // A file in place of the folder: no log can be opened, not even by root.
  rmSync(join(dataDir, 'logs'), { recursive: true });
  writeFileSync(join(dataDir, 'logs'), '');
  const both = ['a', 'b'].map(
    (name) =>
      new Promise<void>(
        (resolve) => void supervisor.start(talker(name, resolve), AbortSignal.timeout(60_000)),
      ),
  );
  await Promise.all(both);
  expect(said).toEqual([expect.stringMatching(/^Logs cannot be written \(ENOTDIR.*lines are dropped/)]);
  await supervisor.stopAll([]);
});

it('logs are rotated, so that a long run does not fill the disk', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'muster-supervisor-'));
  dirs.push(dataDir);
  const limits = { maxBytes: 100_000, keep: 2 };
  const supervisor = new Supervisor(dataDir, () => undefined, undefined, limits);
  await new Promise<void>(
    (resolve) => void supervisor.start(talker('a', resolve), AbortSignal.timeout(60_000)),
  );
  await supervisor.stopAll([]);
  expect(readdirSync(join(dataDir, 'logs')).toSorted()).toEqual(['a.log', 'a.log.1', 'a.log.2']);
});
