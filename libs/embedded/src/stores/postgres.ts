import { join, resolve } from 'node:path';
import type { EmbeddedOptions } from './embedded-options.js';
import type { ManagedProcess } from '../supervisor/managed-process.js';
import { postgresBinaries } from './postgres-binaries.js';
import { NAME, ensureCluster } from './postgres-cluster.js';
import { dataOf, postgresPlace } from './postgres-place.js';
import { untilReady } from './probe.js';
import { claim } from './stale-lock.js';

/** A PostgreSQL that is prepared for its start. */
export interface EmbeddedPostgres {
  process: ManagedProcess;
  url: string;
  description: string;
  /** All data: delete it with the data directory, while stopped, to start empty. */
  directory: string;
}

/** The start-up message of PostgreSQL's protocol 3.0, with user and database. */
function startupMessage(): Buffer {
  const body = Buffer.from(`\0\x03\0\0user\0${NAME}\0database\0${NAME}\0\0`, 'latin1');
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([length, body]);
}

/** A ready server requests the password ("R"); one that is starting or stopping returns an error. */
function refusal(answer: Buffer): string | null {
  if (answer[0] === 'R'.charCodeAt(0)) return null;
  const fields = answer.subarray(5).toString('utf8').split('\0');
  return fields.find((field) => field.startsWith('M'))?.slice(1) ?? 'an answer that is not PostgreSQL';
}

/**
 * Prepares a private PostgreSQL: finds its binaries, creates the database on the first start, and describes the process
 * to run. It listens on 127.0.0.1 only, requires a password, and logs to its standard error, which the supervisor
 * stores. As root it runs under another account, and its data may be elsewhere (see `directory`).
 */
export async function embeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { port, log } = options;
  const dataDir = resolve(options.dataDir);
  const { directory, account, copies } = await postgresPlace(dataDir, log);
  const binaries = await postgresBinaries(copies, account);
  const data = dataOf(directory);
  await claim('PostgreSQL', join(data, 'postmaster.pid'), data, dataDir);
  const password = await ensureCluster(
    { directory, binaries, account, log },
    join(dataDir, 'postgres-password'),
  );

  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    max_connections: '200',
    // A client that vanished gives its connection back within seconds.
    authentication_timeout: '5s',
    tcp_keepalives_idle: '5',
    tcp_keepalives_interval: '2',
    tcp_keepalives_count: '3',
    tcp_user_timeout: '10s',
    // A socket file would need a short path and a clean-up; the loopback with a password needs neither.
    unix_socket_directories: '',
    logging_collector: 'off',
    log_destination: 'stderr',
    log_checkpoints: 'off',
    log_timezone: 'UTC',
    timezone: 'UTC',
    cluster_name: NAME,
  };
  const version = binaries.version.split('-')[0];
  return {
    process: {
      name: 'postgres',
      command: binaries.postgres,
      args: ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      env: { LC_ALL: 'C' },
      cwd: directory,
      uid: account?.uid,
      gid: account?.gid,
      // "Fast" shutdown: aborts open transactions instead of waiting for their clients.
      stopSignal: 'SIGINT',
      ready: (signal) => untilReady({ who: 'PostgreSQL', port, message: startupMessage(), refusal }, signal),
    },
    url: `postgresql://${NAME}:${password}@127.0.0.1:${port}/${NAME}`,
    description: `PostgreSQL ${version}, data in ${directory}`,
    directory,
  };
}
