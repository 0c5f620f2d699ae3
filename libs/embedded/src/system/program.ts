import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The folder of this package, resolved by name, because the bundle of this file is elsewhere. */
const packageFolder = dirname(createRequire(import.meta.url).resolve('@muster/embedded/package.json'));

/** The folder of the repository. */
export const checkout = join(packageFolder, '../..');

/**
 * Most values of a service are short-lived: a larger young generation means fewer copies during garbage collection. In
 * MB; a process uses up to three times as much.
 */
export const nodeOptions = ['--enable-source-maps', '--max-semi-space-size=32'];

/** Of the process that hosts all services: a smaller young generation, because its memory counts. */
export const singleNodeOptions = ['--enable-source-maps', '--max-semi-space-size=8'];

/**
 * The bundle of a program.
 *
 * @param app the folder of an app below `apps`, or the name of a worker or a child process
 * @param root the checkout
 * @throws Error with a user-facing message if it is not built
 */
export function programOf(app: string, root = checkout): string {
  const path = join(root, 'dist', `${app}.js`);
  if (!existsSync(path)) throw new Error(`${path} is missing: run \`npm run build\`.`);
  return path;
}
