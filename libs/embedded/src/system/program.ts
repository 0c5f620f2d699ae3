import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The folder of this package, by its name: a bundle of this file lies elsewhere. */
const packageFolder = dirname(createRequire(import.meta.url).resolve('@muster/embedded/package.json'));

/** The folder of the repository. */
export const checkout = join(packageFolder, '../..');

/**
 * Short-lived values are most of what a service makes: with more room for the young, fewer of them are copied when it is
 * cleaned. In MB, and three times as much a process at most.
 */
export const nodeOptions = ['--enable-source-maps', '--max-semi-space-size=32'];

/**
 * The file that runs a program: the bundle that `npm run build` makes.
 *
 * @param app the folder of an app below `apps`, or the name of a worker or a child process
 * @param root the checkout
 * @throws Error with a sentence for people when it is not built
 */
export function programOf(app: string, root = checkout): string {
  const path = join(root, 'dist', `${app}.js`);
  if (!existsSync(path)) throw new Error(`${path} is missing: run \`npm run build\`.`);
  return path;
}
