import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The account that runs PostgreSQL if the current one is root, which PostgreSQL rejects. */
export interface Account {
  uid: number;
  gid: number;
}

const CANDIDATES = ['postgres', '_postgres', 'nobody', 'daemon'];

/** Whether this process is root, as in many containers. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** The first of the usual unprivileged accounts: `postgres` if a package created it, else `nobody`. */
export async function unprivilegedAccount(): Promise<Account> {
  const passwd = await readFile('/etc/passwd', 'utf8');
  const accounts = new Map<string, Account>();
  for (const line of passwd.split('\n')) {
    const [name, , uid, gid] = line.split(':');
    if (name === undefined) continue;
    const account = { uid: Number(uid), gid: Number(gid) };
    // macOS gives `nobody` a negative id, to which a process cannot switch.
    if (account.uid > 0 && account.gid > 0) accounts.set(name, account);
  }
  for (const name of CANDIDATES) {
    const account = accounts.get(name);
    if (account) return account;
  }
  throw new Error(
    'PostgreSQL refuses to run as root, and there is no user "postgres" or "nobody" to run it as: ' +
      'start as another user, or use a PostgreSQL of your own by its URL.',
  );
}

/** Permission bits, as in one digit of a mode. */
export const SEARCH = 0o1;
export const READ = 0o4;

/**
 * Whether `account` has the `wanted` permission on `path`, by owner, group and mode of it and of every parent
 * directory. Access lists and secondary groups are not considered; where they matter the answer may be a false "no".
 */
export async function canReach(path: string, account: Account, wanted: number): Promise<boolean> {
  let at: string;
  try {
    at = await realpath(path);
  } catch {
    return false;
  }
  let bits = wanted;
  for (;;) {
    const { uid, gid, mode } = await stat(at);
    const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0;
    if (((mode >> shift) & bits) !== bits) return false;
    const above = dirname(at);
    if (above === at) return true;
    at = above;
    bits = SEARCH;
  }
}
