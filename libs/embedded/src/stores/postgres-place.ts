import { createHash } from 'node:crypto';
import { chown, lstat, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Account, SEARCH, canReach, isRoot, unprivilegedAccount } from './postgres-account.js';
import { claim } from './stale-lock.js';

/** The location of PostgreSQL's data, and its account. */
export interface PostgresPlace {
  /** Contains all of its files. */
  directory: string;
  /** Null if it runs as the current user. */
  account: Account | null;
  /** The directory for copied binaries, if the installed ones cannot be run. */
  copies: string;
}

/** The directory of the database files. */
export function dataOf(directory: string): string {
  return join(directory, 'data');
}

/** Survives a reboot, unlike the directory for temporary files, and every account may traverse it. */
const SHARED = '/var/tmp';

/** Creates `directory` with mode 0700 for `account`, or checks that it has that mode and owner. */
async function privateDirectory(directory: string, account: Account | null): Promise<void> {
  const owner = account?.uid ?? process.getuid?.();
  const made = await mkdir(directory, { mode: 0o700 }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
  if (made && account) await chown(directory, account.uid, account.gid);
  const found = await lstat(directory);
  if (!found.isDirectory() || found.uid !== owner || (found.mode & 0o077) !== 0) {
    throw new Error(
      `${directory} must be a directory that only user ${owner} may enter (it belongs to ${found.uid}): ` +
        'start as the user that created it, or choose another data directory.',
    );
  }
}

async function text(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

/**
 * As root, the data are outside `dataDir` if PostgreSQL's account cannot reach it. A note in `dataDir` has the path.
 * Without the note `dataDir` is new, so older data at that path are set aside.
 */
async function moved(dataDir: string, account: Account, log: (line: string) => void): Promise<string> {
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  const directory = join(SHARED, `muster-${hash}`);
  const note = join(dataDir, 'postgres-is-at.txt');
  if ((await text(note)) === null) {
    const left = await lstat(directory).catch(() => null);
    if (left?.uid === account.uid) {
      await claim('PostgreSQL', join(dataOf(directory), 'postmaster.pid'), dataOf(directory), dataDir);
      const aside = `${directory}.${Date.now()}`;
      await rename(directory, aside);
      log(
        `${dataDir} is new, so PostgreSQL's data of an earlier one were set aside as ${aside}; they can be deleted.`,
      );
    }
    await privateDirectory(directory, account);
    await writeFile(note, `${directory}\n`);
  } else {
    await privateDirectory(directory, account);
  }
  return directory;
}

/** Determines the location of the data of `dataDir`; later calls find the same one. */
export async function postgresPlace(dataDir: string, log: (line: string) => void): Promise<PostgresPlace> {
  const wanted = resolve(dataDir);
  await mkdir(wanted, { recursive: true });
  const inside = join(wanted, 'postgres');
  if (!isRoot()) {
    await privateDirectory(inside, null);
    return { directory: inside, account: null, copies: wanted };
  }
  // Existing data keep their owner: PostgreSQL runs as that account only.
  const existing = await stat(inside).catch(() => null);
  if (existing && existing.uid !== 0) {
    const account = { uid: existing.uid, gid: existing.gid };
    if (!(await canReach(inside, account, SEARCH))) {
      throw new Error(
        `User ${account.uid} owns ${inside} but cannot reach it: allow it to pass the directories above.`,
      );
    }
    return { directory: inside, account, copies: SHARED };
  }
  const account = await unprivilegedAccount();
  const note = await text(join(wanted, 'postgres-is-at.txt'));
  if (note === null && (await canReach(wanted, account, SEARCH))) {
    await privateDirectory(inside, account);
    return { directory: inside, account, copies: SHARED };
  }
  return { directory: await moved(wanted, account, log), account, copies: SHARED };
}
