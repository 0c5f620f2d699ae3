import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository, of an image or of an installed package: the first above this file that has the migrations. */
export const checkout = rootAbove(dirname(fileURLToPath(import.meta.url)));

function rootAbove(folder: string): string {
  const isRoot = existsSync(join(folder, 'prisma/migrations')) || dirname(folder) === folder;
  return isRoot ? folder : rootAbove(dirname(folder));
}

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
