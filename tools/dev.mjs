#!/usr/bin/env node
// `npm run dev`: runs everything. After a source change it bundles the affected apps and restarts them, in seconds. The
// launcher restarts processes that exit, so this tool only ends them.
//
//   npm run dev                     services and edge
//   npm run dev -- --only queue     restarts the queue alone; other affected apps are not restarted
//   npm run dev -- --demo queue     any option of `npm start`
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { affected, dependenciesOf, processesOf } from './dev/affected.mjs';
import { prepare } from './prepare.mjs';
import { checkout, say } from './prepare/checkout.mjs';
import { packagesOf } from './prepare/programs.mjs';

/** Editors write a file in several steps, and switching a branch changes many. */
const settleMs = 150;
/** These run as processes of the launcher. A change of the launcher itself needs a new `npm run dev`. */
const restartable = ['queue', 'assignment', 'allocator', 'rating', 'edge', 'demo'];
const generators = [
  [/\/lua\//, 'tools/generate-scripts.mjs'],
  [/\/proto\//, 'libs/contracts/generate-rpc.mjs'],
  [/^prisma\//, 'libs/db/generate-client.mjs'],
];

function optionsOf(args) {
  const only = args.indexOf('--only');
  const rest = only === -1 ? args : args.toSpliced(only, 2);
  const dataDir = rest.includes('--data-dir')
    ? rest[rest.indexOf('--data-dir') + 1]
    : process.env.MUSTER_DATA_DIR;
  return {
    apps: only === -1 ? restartable : (args[only + 1] ?? '').split(','),
    runFile: join(dataDir ?? join(checkout, '.muster'), 'run.json'),
    args: rest.some((arg) => arg.endsWith('-demo') || arg === '--demo') ? rest : [...rest, '--no-demo'],
  };
}

/** Runs a script to its end. @returns whether it succeeded; its output is shown */
function node(...args) {
  return new Promise((resolve) => {
    spawn(process.execPath, args, { cwd: checkout, stdio: ['ignore', 'inherit', 'inherit'] }).once(
      'close',
      (code) => resolve(code === 0),
    );
  });
}

/** Bundles the apps that a change affects, and ends their processes. */
async function apply(paths, { apps, runFile }) {
  const began = performance.now();
  for (const [sources, script] of generators)
    if (paths.some((path) => sources.test(path)) && !(await node(script))) return;
  const packages = new Set(
    paths.map((path) => (path.startsWith('prisma/') ? 'libs/db' : path.split('/').slice(0, 2).join('/'))),
  );
  const folders = affected(
    dependenciesOf(checkout),
    packages,
    apps.map((app) => `apps/${app}`),
  );
  if (folders.length === 0) return say(`${paths[0]} changed; no restarted app is affected`);
  if (!(await node('tools/bundle.mjs'))) return say('the old bundles run on');
  const { pids } = existsSync(runFile) ? JSON.parse(readFileSync(runFile, 'utf8')) : { pids: {} };
  const names = folders.flatMap((folder) => processesOf(folder.slice('apps/'.length), pids));
  for (const name of names) process.kill(pids[name], 'SIGTERM');
  say(
    `${paths[0]} changed: ${names.join(', ')} restarted after ${((performance.now() - began) / 1000).toFixed(1)} s`,
  );
}

/** Reports changed paths in batches, once they have settled. */
function watchSources(changed) {
  const paths = new Set();
  let working = Promise.resolve();
  const note = (path) => {
    if (/\.spec\.m?[jt]s$|\/generated\/|\/dist(\.new)?\//.test(path)) return;
    paths.add(path);
    working = working.then(async () => {
      await pause(settleMs);
      const batch = [...paths];
      paths.clear();
      if (batch.length > 0) await changed(batch);
    });
  };
  const folders = packagesOf(checkout).flatMap((folder) => [`${folder}/src`, `${folder}/lua`]);
  for (const folder of [...folders, 'prisma'])
    if (existsSync(join(checkout, folder)))
      watch(join(checkout, folder), { recursive: true }, (_event, name) => note(`${folder}/${name ?? ''}`));
}

const options = optionsOf(process.argv.slice(2));
const unknown = options.apps.filter((app) => !restartable.includes(app));
if (unknown.length > 0) {
  say(`--only takes ${restartable.join(', ')}, not "${unknown.join(',')}"`);
  process.exitCode = 1;
} else if (await prepare()) {
  const main = join(checkout, 'dist/cli.js');
  const child = spawn(process.execPath, ['--enable-source-maps', main, 'up', ...options.args], {
    stdio: 'inherit',
  });
  // Ctrl-C reaches the launcher directly; this process ends with it.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.once('close', (code) => process.exit(code ?? 1));
  watchSources((paths) =>
    apply(paths, options).catch((error) => say(error instanceof Error ? error.message : String(error))),
  );
} else process.exitCode = 1;
