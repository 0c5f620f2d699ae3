#!/usr/bin/env node
// `muster …` from a checkout: prepares it, then becomes apps/cli. In this same process, so that a signal arrives once
// and the exit code is the program's own; a parent that forwards would get Ctrl-C beside its child, and pass it twice.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkout, say } from './prepare/checkout.mjs';
import { prepare } from './prepare.mjs';

const main = join(checkout, 'dist/cli.js');

/**
 * npm runs a script through a shell, and when npm is told to stop it stops that shell and no more: we would go on with
 * nobody to stop us. So without the shell we stop as if the signal had come to us.
 */
function stopWithNpm() {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  watch.unref();
}

stopWithNpm();
const ready = await prepare({ quiet: process.argv[2] !== 'up' });
if (ready && existsSync(main)) {
  process.setSourceMapsEnabled(true);
  process.argv[1] = main;
  await import(pathToFileURL(main).href);
} else {
  if (ready) say(`${main} is missing, so there is nothing to start.`);
  process.exitCode = 1;
}
