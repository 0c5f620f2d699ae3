import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isBuilt, rememberBuilt, sourcesOf } from './built.mjs';
import { say, Unprepared } from './checkout.mjs';
import { step } from './step.mjs';

/** After this long even a quiet build says that it is at work. */
const patienceMs = 3000;

/**
 * Builds what has changed, if anything has; Nx knows what that is, and takes the rest from its cache. What the compilers print is shown
 * only if one of them fails.
 */
export async function build(root, { quiet }) {
  if (isBuilt(root)) return;
  const sources = sourcesOf(root);
  const startedAt = Date.now();
  const elapsed = () => `${((Date.now() - startedAt) / 1000).toFixed(1)} s`;
  let announced = !quiet;
  const announcement = setTimeout(() => {
    announced = true;
    if (process.stderr.isTTY) say('building what has changed …');
  }, patienceMs);

  const { code, output } = await nx(root, ['run-many', '-t', 'build', '--parallel=2']).finally(() =>
    clearTimeout(announcement),
  );
  if (code !== 0) {
    process.stderr.write(output);
    throw new Unprepared(`the build failed after ${elapsed()}; what the compilers said stands above.`);
  }
  rememberBuilt(root, sources);
  if (announced) say(`built in ${elapsed()}`);
}

function nx(root, args) {
  const folder = join(root, 'node_modules/nx');
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const env = {
    ...process.env,
    // A daemon would outlive us, and hold on to a checkout that may be thrown away.
    NX_DAEMON: 'false',
    NX_TUI: 'false',
    ...(process.stderr.isTTY && process.env.NO_COLOR === undefined && { FORCE_COLOR: '1' }),
  };
  return step(process.execPath, [join(folder, bin.nx), ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
