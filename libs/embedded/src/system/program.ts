import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The folder of this package, by its name: a bundle of this file lies elsewhere. */
export const packageFolder = dirname(createRequire(import.meta.url).resolve('@muster/embedded/package.json'));

/** The folder of the repository. */
export const checkout = join(packageFolder, '../..');

/**
 * Short-lived values are most of what a service makes: with more room for the young, fewer of them are copied when it is
 * cleaned. In MB, and three times as much a process at most.
 */
export const nodeOptions = ['--enable-source-maps', '--max-semi-space-size=32'];

/** Sums of the modules by their paths, as the build wrote them. */
type MadeOf = Readonly<Record<string, string>>;

function sha256(path: string): string | null {
  return existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : null;
}

/**
 * The file that runs an app: its bundle, which starts in half the time, else its modules one by one. A bundle is passed
 * over when a module of ours that it was made from is another by now, as after a `tsc -b` alone.
 *
 * @param app its folder below `apps`
 * @param root the checkout
 */
export function programOf(app: string, root = checkout): string {
  const dist = join(root, 'apps', app, 'dist');
  const list = join(dist, 'bundle/made-of.json');
  const fresh =
    existsSync(list) &&
    Object.entries(JSON.parse(readFileSync(list, 'utf8')) as MadeOf).every(
      ([path, sum]) => sha256(join(root, path)) === sum,
    );
  return join(dist, fresh ? 'bundle/main.js' : 'main.js');
}
