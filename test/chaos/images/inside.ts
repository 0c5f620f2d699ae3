// The part of `npm run test:images` that runs in namespaces of its own: its network, mounts and processes are nobody
// else's, and all of them end with it. Started by main.ts.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { nodeContext, storeContexts } from './bases.js';
import { run } from './commands.js';
import { Daemon } from './daemon.js';
import { checkDemo } from './demo.js';
import { proxyInside } from './egress.js';
import { checkFaults } from './faults.js';
import { Findings, sentence } from './findings.js';
import { checkImages } from './image-checks.js';
import { Installation } from './installation.js';
import { writtenByDaemons } from './machine.js';
import { checkSystem } from './system-checks.js';

const [, , folder = '', checkout = '', registry = ''] = process.argv;
const group = `/${folder.split('/').at(-1) ?? ''}`;
const proxyPort = 3128;
const began = Date.now();
const say = (text: string): void =>
  void process.stdout.write(`${String(Math.round((Date.now() - began) / 1_000)).padStart(4)} s  ${text}\n`);
const findings = new Findings(say);

/** Folders that a daemon writes outside of its own, and settings of the kernel that have no namespace. */
async function closeOff(): Promise<void> {
  await run('ip', ['link', 'set', 'lo', 'up']);
  for (const path of writtenByDaemons) await run('mount', ['-t', 'tmpfs', 'tmpfs', path]);
  await run('mount', ['--bind', '/proc/sys/kernel', '/proc/sys/kernel']);
  await run('mount', ['-o', 'remount,bind,ro', '/proc/sys/kernel']);
}

/** Waits for a root file system that is being made outside. */
async function made(name: string): Promise<string> {
  for (;;) {
    const state = readFileSync(join(folder, 'roots.json'), 'utf8');
    const roots = JSON.parse(state) as Record<string, string>;
    if (roots['error']) throw new Error(roots['error']);
    const path = roots[name];
    if (path) return path;
    await pause(250);
  }
}

async function startDaemon(): Promise<Daemon> {
  let reason = '';
  for (const runtime of ['runc', 'crun'] as const) {
    const daemon = await Daemon.start(folder, group, runtime);
    await daemon.run(['import', await made('node'), 'muster-test/debian-node']);
    const { code, all } = await daemon.attempt(['run', '--rm', 'muster-test/debian-node', '/bin/true']);
    if (code === 0) return daemon;
    reason += `${runtime}: ${all}\n`;
    await daemon.stop();
  }
  throw new Error(`No container runs here:\n${reason}`);
}

async function build(daemon: Daemon, installation: Installation): Promise<void> {
  await daemon.run(['build', '-q', '-t', 'muster-test/node', await nodeContext(folder)]);
  say('Building the images …');
  await installation.compose(['--profile', 'demo', 'build'], 600_000);
  await daemon.run(['import', await made('stores'), 'muster-test/debian-stores'], { limitMs: 300_000 });
  for (const [name, context] of Object.entries(storeContexts(folder)))
    await daemon.run(['build', '-q', '-t', `muster-test/${name}`, context]);
}

async function play(): Promise<void> {
  await closeOff();
  await proxyInside(proxyPort, join(folder, 'egress.sock'));
  const daemon = await startDaemon();
  say('A Docker daemon of its own runs.');
  const installation = new Installation(daemon, checkout);
  installation.prepare(`http://127.0.0.1:${proxyPort}`, registry);
  await build(daemon, installation);
  await checkImages(daemon, findings, say);
  try {
    say('Starting docker/compose.yaml …');
    await installation.compose(['up', '-d', '--no-build']);
    await findings.check('every container becomes healthy', async () => {
      await installation.healthy();
      return [];
    });
    await installation.readKeys();
    await checkSystem(installation, findings);
    await checkDemo(installation, findings, say);
    await checkFaults(installation, findings, say);
  } finally {
    say('Taking it down …');
    // Each was stopped in order before; the rest need not take its time.
    await installation
      .compose(['--profile', 'demo', 'down', '-v', '--timeout', '1'])
      .catch((error: unknown) => {
        say(sentence(error));
      });
  }
  await findings.check('compose takes down all that it made', async () => {
    const left = await Promise.all([
      daemon.run(['ps', '-aq']),
      daemon.run(['volume', 'ls', '-q']),
      daemon.run(['network', 'ls', '-q', '--filter', 'type=custom']),
    ]);
    return left.flatMap((text) => text.split('\n')).filter((line) => line !== '');
  });
  await daemon.stop();
}

await play().catch((error: unknown) => findings.add('the test runs to its end', [sentence(error)]));
writeFileSync(
  join(folder, 'result.json'),
  JSON.stringify({ passed: findings.passed, failed: findings.failed }),
);
process.exit(0);
