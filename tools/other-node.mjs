#!/usr/bin/env node
// Runs the unit tests and the demo on other versions of Node, which npm brings from its registry into a temporary folder. Everything
// else stays as it is: the dependencies are those of this checkout.
//
//   npm run test:node             the supported lines: 22 and 24
//   npm run test:node -- 24       one of them, or a version such as 22.12.0
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { checkout } from './prepare/checkout.mjs';

const lines = ['22', '24'];
const demoFor = '30s';

/** Ends with an error if a command fails. @returns its standard output, where that is piped */
function run(command, args, options = {}) {
  const { status, error, stdout } = spawnSync(command, args, { cwd: checkout, stdio: 'inherit', ...options });
  if (status !== 0) throw new Error(`${[command, ...args].join(' ')} failed: ${error?.message ?? status}`);
  return stdout?.toString();
}

/** Installs a version of Node. @returns the folder with its program */
function installed(version, folder) {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  run('npm', ['install', '--no-audit', '--no-fund', `node@${version}`], { cwd: folder });
  return join(folder, 'node_modules/node/bin');
}

function testOn(version, folder) {
  const bin = installed(version, folder);
  const node = join(bin, 'node');
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
  console.log(`=== Node ${run(node, ['--version'], { stdio: 'pipe' }).trim()}`);
  run(node, ['tools/prepare.mjs'], { env });
  run(node, ['node_modules/vitest/vitest.mjs', 'run', '--project=unit', '--reporter=dot'], { env });
  const args = ['up', '--for', demoFor, '--port', '0', '--data-dir', join(folder, 'demo')];
  const said = run(node, ['tools/start.mjs', ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const last = said.trimEnd().split('\n').at(-1);
  console.log(last);
  const { matchesRated, ticketsLost } = last.startsWith('{') ? JSON.parse(last) : {};
  if (!(matchesRated >= 10 && ticketsLost === 0))
    throw new Error('the demo ended without a result, lost tickets, or rated fewer than ten matches');
}

const [, , ...asked] = process.argv;
for (const version of asked.length > 0 ? asked : lines) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-node-'));
  try {
    testOn(version, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
