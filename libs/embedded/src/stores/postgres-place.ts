import { createHash } from 'node:crypto';
import { chown, lstat, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Account, SEARCH, canReach, isRoot, unprivilegedAccount } from './postgres-account.js';
import { claim } from './stale-lock.js';

/** Where PostgreSQL keeps its data, and as whom it runs. */
export interface PostgresPlace {
  /** Everything it keeps is in here. */
  directory: string;
  /** Null when it runs as the current user. */
  account: Account | null;
  /** Where binaries are copied to when they cannot run from where they are. */
  copies: string;
}

/** Where the database files of a place are. */
export function dataOf(directory: string): string {
  return join(directory, 'data');
}

/** Survives a reboot, unlike the usual directory for temporary files, and every account may pass through it. */
const SHARED = '/var/tmp';

/** Makes `directory` with mode 0700 for `account`, or checks that it is just that. */
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
      `${directory} has to be a directory of user ${owner} that nobody else may enter (it belongs to ${found.uid}): ` +
        'start as the user that made it, or choose another data directory.',
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
 * Root keeps the data outside `dataDir` when PostgreSQL's account cannot reach it. A note in `dataDir` says where;
 * without the note `dataDir` was emptied to begin anew, so data that an earlier one left are set aside.
 */
async function moved(dataDir: string, account: Account, log: (line: string) => void): Promise<string> {
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  const directory = join(SHARED, `muster-${hash}`);
  const note = join(dataDir, 'postgres-is-at.txt');
  if ((await text(note)) === null) {
    const left = await lstat(directory).catch(() => null);
    if (left?.uid === account.uid) {
      await claim('PostgreSQL', join(dataOf(directory), 'postmaster.pid'), dataOf(directory));
      const aside = `${directory}.${Date.now()}`;
      await rename(directory, aside);
      log(
        `${dataDir} is new, so PostgreSQL's data of an earlier one were set aside as ${aside}; delete them at will.`,
      );
    }
    await privateDirectory(directory, account);
    await writeFile(note, `${directory}\n`);
  } else {
    await privateDirectory(directory, account);
  }
  return directory;
}

/** Decides where the data of `dataDir` live; a later call finds the same place. */
export async function postgresPlace(dataDir: string, log: (line: string) => void): Promise<PostgresPlace> {
  const wanted = resolve(dataDir);
  await mkdir(wanted, { recursive: true });
  const inside = join(wanted, 'postgres');
  if (!isRoot()) {
    await privateDirectory(inside, null);
    return { directory: inside, account: null, copies: wanted };
  }
  // Data that are there already keep their owner: PostgreSQL runs as no other.
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
