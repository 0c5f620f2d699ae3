import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('../../../../', import.meta.url));

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
