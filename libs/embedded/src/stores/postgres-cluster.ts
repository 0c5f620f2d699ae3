import { randomBytes } from 'node:crypto';
import { chown, mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from './postgres-account.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import { dataOf } from './postgres-place.js';
import { run } from './run.js';
import { isRunning } from './stale-lock.js';

/** The name of the role and the database. */
export const NAME = 'muster';

/** A database directory. */
export interface Cluster {
  /** The private directory of the cluster. */
  directory: string;
  binaries: PostgresBinaries;
  account: Account | null;
  log: (line: string) => void;
}

/** The prefix of an unfinished database; the id of its process follows. */
const UNFINISHED = 'unfinished-';
const LONGEST_MAKING_MS = 60_000;

/** English messages and a locale that exists everywhere, whatever the machine's language. */
const ENVIRONMENT = { LC_ALL: 'C' };

/** Reads the password of a data directory, or generates one. */
async function password(file: string): Promise<{ value: string; drawn: boolean }> {
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (kept !== '') return { value: kept.trim(), drawn: false };
  const value = randomBytes(24).toString('base64url');
  await writeFile(file, value, { mode: 0o600 });
  return { value, drawn: true };
}

/** Runs SQL in single-user mode on a database without a running server. */
async function singleUser(cluster: Cluster, data: string, sql: string): Promise<void> {
  await run(cluster.binaries.postgres, ['--single', '-D', data, '-c', 'exit_on_error=true', 'postgres'], {
    cwd: cluster.directory,
    account: cluster.account,
    env: ENVIRONMENT,
    input: `${sql}\n`,
  });
}

/** Removes unfinished databases of killed starts, and fails if a process is still creating one. */
async function clearUnfinished(directory: string): Promise<void> {
  for (const left of await readdir(directory)) {
    if (!left.startsWith(UNFINISHED)) continue;
    const path = join(directory, left);
    const pid = Number(left.slice(UNFINISHED.length));
    const age = Date.now() - (await stat(path)).mtimeMs;
    // Beyond this age another process has the id.
    if (pid !== process.pid && age < LONGEST_MAKING_MS && (await isRunning(pid))) {
      throw new Error(
        `Process ${pid} is creating PostgreSQL's database in ${directory} right now: ` +
          'wait for it, or choose another data directory.',
      );
    }
    // initdb of a killed start may still run for a moment.
    await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/**
 * Creates the database under a temporary name and renames it, so that an interrupted start leaves no partial database.
 */
async function initialise(cluster: Cluster, secret: string): Promise<void> {
  const { directory, binaries, account } = cluster;
  await clearUnfinished(directory);
  const unfinished = join(directory, `${UNFINISHED}${process.pid}`);
  await mkdir(unfinished, { mode: 0o700 });
  const passwordFile = join(unfinished, 'password');
  await writeFile(passwordFile, secret, { mode: 0o600 });
  if (account) for (const path of [unfinished, passwordFile]) await chown(path, account.uid, account.gid);
  const data = join(unfinished, 'data');
  const flags = ['-U', NAME, '--encoding=UTF8', '--locale=C', '--auth=scram-sha-256', '--no-instructions'];
  try {
    await run(binaries.initdb, ['-D', data, `--pwfile=${passwordFile}`, ...flags], {
      cwd: directory,
      account,
      env: ENVIRONMENT,
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(
      `PostgreSQL ${binaries.version} could not create its database in ${directory}. The bundled binaries need glibc ` +
        `(on Alpine, or where they cannot run, use a PostgreSQL of your own by its URL). ${why}`,
      { cause: error },
    );
  }
  await singleUser(cluster, data, `CREATE DATABASE ${NAME};`);
  await rename(data, dataOf(directory));
  await rm(unfinished, { recursive: true, force: true });
}

/**
 * Creates the database on the first start; later starts only check that the binaries can read it.
 *
 * @param passwordFile readable by the current user only; if it is lost, a new password is set
 * @returns the password of {@link NAME}
 */
export async function ensureCluster(cluster: Cluster, passwordFile: string): Promise<string> {
  const { value, drawn } = await password(passwordFile);
  const data = dataOf(cluster.directory);
  const made = await readFile(join(data, 'PG_VERSION'), 'utf8').catch(() => null);
  if (made === null) {
    cluster.log(`First start: creating the database in ${cluster.directory}.`);
    await initialise(cluster, value);
    return value;
  }
  const major = cluster.binaries.version.split('.')[0];
  if (made.trim() !== major) {
    throw new Error(
      `${data} was created by PostgreSQL ${made.trim()} and the bundled one is ${major}: move the data with pg_dump, ` +
        'or start with another data directory.',
    );
  }
  if (drawn) await singleUser(cluster, data, `ALTER ROLE ${NAME} PASSWORD '${value}';`);
  return value;
}
