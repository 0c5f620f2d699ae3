import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isBuilt, rememberBuilt, sourcesOf } from './built.mjs';
import { say, Unprepared } from './checkout.mjs';
import { allPrograms } from './programs.mjs';
import { step } from './step.mjs';

/** After this long even a quiet build says that it is at work. */
const patienceMs = 3000;

/** Sources that are generated from others, and what makes them. */
const generators = [
  ['the database client', 'libs/db/generate-client.mjs'],
  ['the messages of gRPC', 'libs/contracts/generate-rpc.mjs'],
  ['the Redis scripts', 'tools/generate-scripts.mjs'],
];

/**
 * Bundles what runs, if a source of it has changed: generated sources first, then every program straight from TypeScript.
 * Types are not checked here. What the tools print is shown only if one of them fails.
 */
export async function build(root, { quiet }) {
  if (isBuilt(root)) return;
  const sources = sourcesOf(root);
  const startedAt = performance.now();
  let announced = !quiet;
  if (!quiet) say('building what runs; after the first time only when a source has changed …');
  const announcement = setTimeout(() => {
    announced = true;
    if (process.stderr.isTTY) say('building what has changed …');
  }, patienceMs);
  try {
    for (const [what, script] of generators) {
      if (!existsSync(join(root, script))) continue;
      await timed(`generated ${what}`, quiet, () => node(root, [script]));
    }
    const names = Object.keys(allPrograms(root)).join(', ');
    await timed(`bundled ${names} and the dashboard`, quiet, () => node(root, ['tools/bundle.mjs']));
  } finally {
    clearTimeout(announcement);
  }
  rememberBuilt(root, sources);
  if (announced && quiet) say(`built in ${seconds(startedAt)}`);
}

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

async function timed(what, quiet, work) {
  const startedAt = performance.now();
  await work();
  if (!quiet) say(`${what} in ${seconds(startedAt)}`);
}

async function node(root, args) {
  const { code, output } = await step(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (code === 0) return;
  process.stderr.write(output);
  throw new Unprepared(`${args[0]} failed; its reasons stand above.`);
}
