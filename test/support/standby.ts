import { freePort, Supervisor, type EmbeddedPostgres } from '@muster/embedded';
import { chown, cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { until } from './gate.js';
import { createDb } from './prisma.js';

/** Of the running server: they must not be copied, or need not be. */
const notCopied = new Set(['postmaster.pid', 'postmaster.opts', 'pg_wal', 'pg_replslot', 'pg_stat_tmp']);

/** A streaming replica of an embedded PostgreSQL, made from a base backup. */
export class Standby {
  private constructor(
    readonly url: string,
    private readonly directory: string,
    private readonly supervisor: Supervisor,
    private readonly abandon: () => void,
  ) {}

  /** @param primary a running server @param settings of the standby, such as `recovery_min_apply_delay=5s` */
  static async of(primary: EmbeddedPostgres, settings: readonly string[] = []): Promise<Standby> {
    const directory = await mkdtemp(join(tmpdir(), 'muster-standby-'));
    const from = join(primary.directory, 'data');
    const to = join(directory, 'data');
    const port = await freePort();
    await baseBackup(primary.url, from, to);
    const { username, password, hostname, port: primaryPort } = new URL(primary.url);
    const conninfo = `host=${hostname} port=${primaryPort} user=${username} password=${password} application_name=standby`;
    await writeFile(join(to, 'standby.signal'), '');
    const { uid, gid } = await stat(from);
    // The server runs as the owner of its files.
    await chown(directory, uid, gid);
    await chown(to, uid, gid);
    for (const name of await readdir(to, { recursive: true })) await chown(join(to, name), uid, gid);
    const supervisor = new Supervisor(directory, () => undefined);
    const abandon = (): void => supervisor.killAll();
    process.once('exit', abandon);
    const { process: spec } = primary;
    const ours = spec.args.map((arg) => (arg === from ? to : arg.startsWith('port=') ? `port=${port}` : arg));
    const url = new URL(primary.url);
    url.port = String(port);
    const standby = new Standby(url.href, directory, supervisor, abandon);
    try {
      await supervisor.start(
        {
          ...spec,
          name: 'standby',
          cwd: directory,
          args: [
            ...ours,
            ...[`primary_conninfo=${conninfo}`, 'fsync=off', ...settings].flatMap((setting) => [
              '-c',
              setting,
            ]),
          ],
          stopSignal: 'SIGQUIT',
          ready: () => standby.answers(),
        },
        AbortSignal.timeout(60_000),
      );
    } catch (error) {
      await standby.stop();
      throw error;
    }
    return standby;
  }

  /** Makes it the primary. */
  async promote(): Promise<void> {
    await this.ask('SELECT pg_promote()');
  }

  /** Stops and resumes applying what it receives. */
  async pause(paused: boolean): Promise<void> {
    await this.ask(paused ? 'SELECT pg_wal_replay_pause()::text' : 'SELECT pg_wal_replay_resume()::text');
  }

  /** Stops it and keeps its data. */
  halt(): Promise<void> {
    return this.supervisor.stop('standby');
  }

  async stop(): Promise<void> {
    await this.halt();
    process.off('exit', this.abandon);
    await rm(this.directory, { recursive: true, force: true });
  }

  private async ask(sql: string): Promise<void> {
    const db = createDb(this.url, { maxConnections: 1 });
    try {
      await db.$queryRawUnsafe(sql);
    } finally {
      await db.$disconnect();
    }
  }

  private answers(): Promise<void> {
    return until(() =>
      this.ask('SELECT 1').then(
        () => true,
        () => false,
      ),
    );
  }
}

/** Copies the files of a running server, as `pg_basebackup` does, which is not among the embedded binaries. */
async function baseBackup(url: string, from: string, to: string): Promise<void> {
  const db = createDb(url, { maxConnections: 1 });
  // One connection: the backup ends with it, and so would it when it is idle during a long copy.
  const inUse = setInterval(() => void db.$sql.$queryRaw`SELECT`.catch(() => undefined), 2_000);
  try {
    await db.$sql.$queryRaw`SELECT pg_backup_start('standby', true)`;
    await cp(from, to, {
      recursive: true,
      preserveTimestamps: true,
      // Files may vanish while they are copied; these are recreated by the server.
      filter: (path) => !notCopied.has(basename(path)) && !basename(path).startsWith('pgsql_tmp'),
    });
    for (const name of ['pg_wal', 'pg_replslot']) await mkdir(join(to, name), { mode: 0o700 });
    const [stopped] = await db.$sql.$queryRaw<{ label: string }[]>`
      SELECT labelfile AS label FROM pg_backup_stop(wait_for_archive => false)`;
    await writeFile(join(to, 'backup_label'), stopped?.label ?? '');
  } finally {
    clearInterval(inUse);
    await db.$disconnect();
  }
}
