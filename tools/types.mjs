#!/usr/bin/env node
// Checks all types with TypeScript's native compiler: everything in one program, then the pure libraries in another
// without Node's types. Only generated sources are built for it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { checkout } from './prepare/checkout.mjs';

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: checkout, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
  return status === 0;
}

const tsc = join(checkout, 'node_modules/typescript-native/bin/tsc');
const generated = [
  'libs/db/generate-client.mjs',
  'libs/contracts/generate-rpc.mjs',
  'tools/generate-scripts.mjs',
].every((script) => run(script));
if (generated)
  for (const project of ['tsconfig.json', 'tsconfig.pure.json', 'apps/dashboard/tsconfig.json'])
    run(tsc, '-p', project);
