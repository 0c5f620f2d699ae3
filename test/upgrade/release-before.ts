import { checkout } from '@muster/embedded';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const maxBuffer = 256 * 1024 * 1024;

/** A checkout with its bundles. */
export interface Checkout {
  readonly title: string;
  readonly root: string;
}

interface Lock {
  readonly packages: Readonly<
    Record<string, { version?: string; integrity?: string; optional?: boolean } | undefined>
  >;
}

/**
 * Prepares the release before, as `prisma/release.json` names it: its files from the history of this clone, its
 * packages, its own bundles. It is kept in `.muster` for the next run.
 *
 * @returns null if the history of this clone does not have it
 */
export async function releaseBefore(say: (text: string) => void): Promise<Checkout | null> {
  const { version, commit } = JSON.parse(await readFile(join(checkout, 'prisma/release.json'), 'utf8')) as {
    version: string;
    commit: string;
  };
  if (!(await hasCommit(commit))) return null;
  const title = `${version} (${commit.slice(0, 7)})`;
  const root = join(checkout, '.muster/release-before', commit);
  if (!existsSync(root)) {
    const fresh = `${root}.new`;
    await rm(fresh, { recursive: true, force: true });
    await mkdir(fresh, { recursive: true });
    const archive = join(fresh, 'archive.tar');
    await run('git', ['archive', '--output', archive, commit], { cwd: checkout });
    await run('tar', ['-xf', archive, '-C', fresh]);
    await rm(archive);
    await installed(fresh, say);
    await rename(fresh, root);
  }
  say(`building release ${title} …`);
  await run(process.execPath, ['tools/prepare.mjs'], { cwd: root, maxBuffer });
  return { title, root };
}

async function hasCommit(commit: string): Promise<boolean> {
  try {
    await run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: checkout });
    return true;
  } catch {
    return false;
  }
}

/** Links the packages of this checkout where they are those of the release; else installs its own. */
async function installed(root: string, say: (text: string) => void): Promise<void> {
  const text = await readFile(join(root, 'package-lock.json'), 'utf8');
  const here = JSON.parse(await readFile(join(checkout, 'node_modules/.package-lock.json'), 'utf8')) as Lock;
  if (!hasAll(JSON.parse(text) as Lock, here)) {
    say('installing the packages of the release before …');
    await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: root,
      maxBuffer,
    });
    return;
  }
  const modules = join(root, 'node_modules');
  // Links cost a second and no space; across file systems the files are copied.
  await run('cp', ['-al', join(checkout, 'node_modules'), modules]).catch(async () => {
    await rm(modules, { recursive: true, force: true });
    await cp(join(checkout, 'node_modules'), modules, { recursive: true, verbatimSymlinks: true });
  });
  // It would be written in place, and so here too.
  const stamp = join(modules, '.muster-lock-sha256');
  await rm(stamp, { force: true });
  await writeFile(stamp, createHash('sha256').update(text).digest('hex'));
}

/** Whether all packages that one lock file names are installed as another one says. */
function hasAll(wanted: Lock, have: Lock): boolean {
  return Object.entries(wanted.packages)
    .filter(([place]) => /(^|\/)node_modules\//.test(place))
    .every(([place, want]) => {
      const found = have.packages[place];
      if (!found) return want?.optional === true;
      return found.version === want?.version && found.integrity === want?.integrity;
    });
}
