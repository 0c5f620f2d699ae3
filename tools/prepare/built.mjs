import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What the checkout was built from. */
const stampIn = (root) => join(root, '.muster/built');

/** Made by the build itself, or not made for it. */
const passedOver = new Set(['dist', 'generated', 'node_modules', 'coverage']);
const single = ['package.json', 'package-lock.json', 'tsconfig.base.json', 'nx.json'];

function* filesIn(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!passedOver.has(entry.name)) yield* filesIn(path);
    } else if (!/\.spec\.m?ts$|\.spec\.mjs$/.test(entry.name)) yield path;
  }
}

/** Packages with something to build. */
function packagesIn(root) {
  return ['apps', 'libs'].flatMap((kind) => {
    const folder = join(root, kind);
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .map((name) => join(folder, name))
      .filter((path) => existsSync(join(path, 'tsconfig.json')));
  });
}

/** Names, sizes and times of all that a build reads: a few hundredths of a second for a thousand files. */
export function sourcesOf(root) {
  const hash = createHash('sha256').update(process.version);
  const folders = ['apps', 'libs', 'prisma', 'tools'].map((name) => join(root, name)).filter(existsSync);
  const files = [
    ...single.map((name) => join(root, name)).filter(existsSync),
    ...folders.flatMap((each) => [...filesIn(each)]),
  ];
  for (const path of files.toSorted()) {
    const { mtimeMs, size } = statSync(path);
    hash.update(`${path}\0${mtimeMs}\0${size}\n`);
  }
  return hash.digest('hex');
}

/**
 * Whether everything is built from what is there now. Asking Nx would be slower and would put every `dist` there anew, under
 * the feet of whoever runs from it.
 */
export function isBuilt(root) {
  const stamp = stampIn(root);
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== sourcesOf(root)) return false;
  return packagesIn(root).every((path) => existsSync(join(path, 'dist/.tsbuildinfo')));
}

/** Remembers that it is. @param sources of before the build: what has changed meanwhile is not in it */
export function rememberBuilt(root, sources) {
  mkdirSync(dirname(stampIn(root)), { recursive: true });
  writeFileSync(stampIn(root), sources);
}
