// `npm run test:images`: builds the images, runs docker/compose.yaml on a Docker daemon of its own, plays, kills every
// container under load, and audits the stores. It needs root on Linux; Debian's packages are installed if they are
// missing. The machine is as before afterwards.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, writeFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { checkout } from '@muster/embedded';
import { z } from 'zod';
import { makeRoots } from './bases.js';
import { apart, attempt } from './commands.js';
import { proxyOutside } from './egress.js';
import { Findings, sentence } from './findings.js';
import { differences, lookAtMachine, makeCovers, processesNaming, removeControlGroups } from './machine.js';
import { obstacle } from './requirements.js';

/** Not below `/tmp`: it may be small, and in memory. */
const place = '/var/tmp';
const prefix = 'muster-images-';
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const Result = z.object({ passed: z.number(), failed: z.number() });

/** Removes what a test left that was killed itself. Its processes ended with it. */
async function removeLeftovers(): Promise<void> {
  for (const name of readdirSync(place).filter((one) => one.startsWith(prefix))) {
    const folder = join(place, name);
    if (processesNaming(folder).length === 0) await remove(folder);
  }
}

/** Removes the folder and the control groups of a test, once its processes have ended. */
async function remove(folder: string): Promise<void> {
  for (let tries = 0; tries < 120; tries++) {
    const isClear =
      processesNaming(folder).length === 0 && removeControlGroups(folder.slice(place.length + 1));
    if (isClear) break;
    await pause(250);
  }
  // Several hundred thousand files.
  await attempt('rm', ['-rf', '--one-file-system', folder], { limitMs: 300_000 });
}

/** Starts inside.ts in namespaces of its own. All its processes end when this process ends, however it ends. */
function startInside(folder: string, registry: string): ChildProcess {
  const program = join(dirname(fileURLToPath(import.meta.url)), 'inside.js');
  const [command, before] = apart('--mount', '--net');
  const node = [process.execPath, '--enable-source-maps', program, folder, checkout, registry];
  return spawn(command, [...before, ...node], { stdio: 'inherit', detached: true });
}

async function npmSetting(name: string): Promise<string> {
  const { out, code } = await attempt('npm', ['config', 'get', name], { cwd: checkout });
  const value = out.trim();
  return code === 0 && value !== 'null' && value !== 'undefined' ? value : '';
}

/** Tells inside.ts which root file systems are there. */
function tellRoots(folder: string, signal: AbortSignal): void {
  const path = join(folder, 'roots.json');
  const known: Record<string, string> = {};
  const tell = (more: Record<string, string>): void => {
    writeFileSync(`${path}.new`, JSON.stringify(Object.assign(known, more)));
    renameSync(`${path}.new`, path);
  };
  tell({});
  for (const [name, root] of Object.entries(makeRoots(folder, signal)))
    root.then(
      (made) => tell({ [name]: made }),
      (error: unknown) => tell({ error: sentence(error) }),
    );
}

async function play(findings: Findings): Promise<void> {
  await removeLeftovers();
  const before = await lookAtMachine();
  const removeCovers = makeCovers();
  const folder = mkdtempSync(join(place, prefix));
  const { https_proxy: lower, HTTPS_PROXY: upper } = process.env;
  const upstream = upper ?? lower ?? (await npmSetting('https-proxy'));
  const proxy = await proxyOutside(join(folder, 'egress.sock'), upstream || undefined);
  say('Making base images of Debian’s packages …');
  const registry = await npmSetting('registry');
  const ending = new AbortController();
  tellRoots(folder, ending.signal);
  const inside = startInside(folder, registry);
  const end = (): void => {
    ending.abort();
    inside.kill('SIGKILL');
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  await new Promise((resolve) => inside.once('exit', resolve));
  ending.abort();
  proxy.close();
  const result = join(folder, 'result.json');
  if (existsSync(result)) {
    const { passed, failed } = Result.parse(JSON.parse(readFileSync(result, 'utf8')));
    findings.passed += passed;
    findings.failed += failed;
  } else findings.add('the test was not interrupted', ['it was']);
  await remove(folder);
  removeCovers();
  findings.add('no process and no file is left', [
    ...processesNaming(folder).map((pid) => `process ${pid}`),
    ...(existsSync(folder) ? [folder] : []),
  ]);
  findings.add(
    'firewall, links, routes and settings of this machine are as before',
    differences(before, await lookAtMachine()),
  );
}

const why = await obstacle(say);
if (why === undefined) {
  const findings = new Findings(say);
  await play(findings).catch((error: unknown) => findings.add('the test runs to its end', [sentence(error)]));
  say(`${findings.passed} passed, ${findings.failed} failed`);
  process.exit(findings.failed === 0 ? 0 : 1);
}
say(`The test of the images is skipped: ${why}.`);
