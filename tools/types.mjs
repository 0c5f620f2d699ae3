#!/usr/bin/env node
// Checks all types, by TypeScript's native compiler: everything in one program, then the pure libraries in another that has
// no types of Node. Nothing is built for it but the sources that are generated.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { checkout } from './prepare/checkout.mjs';

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: checkout, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
  return status === 0;
}

const tsc = join(checkout, 'node_modules/typescript-native/bin/tsc');
const generated = ['libs/db/generate-client.mjs', 'apps/queue/generate-scripts.mjs'].every((script) =>
  run(script),
);
if (generated) for (const project of ['tsconfig.json', 'tsconfig.pure.json']) run(tsc, '-p', project);
