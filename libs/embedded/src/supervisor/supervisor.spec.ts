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

/** A process that runs a program. */
function running(program: string): ManagedProcess {
  return {
    name: 'a',
    command: process.execPath,
    args: ['-e', program],
    env: {},
    stopSignal: 'SIGTERM',
    ready: () => Promise.resolve(),
  };
}

/** A process that writes a mebibyte, more than a pipe holds, and then reports that it is done. */
function talker(name: string, done: () => void): ManagedProcess {
  const program = `for (let i = 0; i < 1024; i++) require('node:fs').writeSync(1, 'x'.repeat(1023) + '\\n');
    console.log('done'); setInterval(() => {}, 1000);`;
  return {
    ...running(program),
    name,
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

/** Waits as long as it may, like a service that does not answer. */
const never = (signal: AbortSignal): Promise<void> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('it was not ready in time')));
  });

function supervised(): { supervisor: Supervisor; said: string[] } {
  const dataDir = mkdtempSync(join(tmpdir(), 'muster-supervisor-'));
  dirs.push(dataDir);
  const said: string[] = [];
  return { supervisor: new Supervisor(dataDir, (line) => said.push(line)), said };
}

const misconfigured = "console.error('RETENTION_DAYS: must be a number'); process.exit(78)";

it('a process that cannot run with its settings is not restarted, and its own sentence is told', async () => {
  const { supervisor, said } = supervised();
  const starting = supervisor.start({ ...running(misconfigured), ready: never }, AbortSignal.timeout(60_000));
  await expect(starting).rejects.toThrow(
    /^a cannot run with its settings\. Its last output:\nRETENTION_DAYS: must be a number\nIts log is /,
  );
  expect(supervisor.failure.aborted).toBe(true);
  expect(said).toEqual([]);
  await supervisor.stopAll([]);
});

it('is restarted if it had answered before, with the same settings', async () => {
  const { supervisor, said } = supervised();
  await supervisor.start(running(misconfigured), AbortSignal.timeout(60_000));
  await expect.poll(() => said.length, { timeout: 20_000 }).toBeGreaterThan(1);
  expect(said[0]).toBe('a ended (code 78); restarting it');
  expect(supervisor.failure.aborted).toBe(false);
  await supervisor.stopAll([]);
});

it('a process that crashes at every start is given up, and its last output is told', async () => {
  const { supervisor, said } = supervised();
  const crash = { ...running("console.error('boom'); process.exit(3)"), ready: never };
  await expect(supervisor.start(crash, AbortSignal.timeout(60_000))).rejects.toThrow(
    /^a ended 5 times in a row \(code 3\)\. Its last output:\nboom\n/,
  );
  expect(said).toHaveLength(4);
  expect(said[0]).toBe('a ended (code 3); restarting it');
  expect(said[1]).toMatch(
    /^a ended \(code 3\) 2 times in a row; restarting it in 0\.2 s\. Its last output:\nboom\n/,
  );
  await supervisor.stopAll([]);
});
