import { roleOf, roleServices } from '@muster/db';
import { freePort } from '@muster/embedded';
import { spawn, type ChildProcess } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './gate.js';
import { createDb } from './prisma.js';

/** The password of the services' roles, which have a login for the pooler. */
export const rolePassword = 'pooled';

/** A PgBouncer in transaction mode before a migrated server; any database of it can be reached. */
export class PgBouncer {
  private constructor(
    readonly port: number,
    private readonly child: ChildProcess,
    private readonly folder: string,
  ) {}

  /** @param url of a database of the server @param user that PgBouncer runs as; it refuses root */
  static async start(
    url: string,
    user = process.getuid?.() === 0 ? 'nobody' : undefined,
  ): Promise<PgBouncer> {
    const { username, password, hostname, port: serverPort } = new URL(url);
    await letRolesLogin(url);
    const folder = await mkdtemp(join(tmpdir(), 'muster-pgbouncer-'));
    const port = await freePort();
    const users = [[username, password], ...roleServices.map((service) => [roleOf(service), rolePassword])];
    const [config, list] = [join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')];
    await chmod(folder, 0o755);
    await writeFile(list, users.map(([name, secret]) => `"${name}" "${secret}"\n`).join(''));
    await writeFile(
      config,
      `[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${list}
pool_mode = transaction
default_pool_size = 10
max_client_conn = 500
server_idle_timeout = 1
`,
    );
    const child = spawn('pgbouncer', [...(user ? ['-u', user] : []), config], { stdio: 'ignore' });
    const failed = new Promise<never>((_, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`pgbouncer ended with code ${code}`)));
    });
    failed.catch(() => undefined);
    const bouncer = new PgBouncer(port, child, folder);
    const through = new URL(url);
    through.port = String(port);
    await Promise.race([failed, until(() => answers(through.href))]);
    return bouncer;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = new Promise((resolve) => this.child.once('exit', resolve));
      this.child.kill('SIGTERM');
      await ended;
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function letRolesLogin(url: string): Promise<void> {
  const db = createDb(url, { maxConnections: 1 });
  try {
    for (const service of roleServices)
      await db.$executeRawUnsafe(`ALTER ROLE ${roleOf(service)} LOGIN PASSWORD '${rolePassword}'`);
  } finally {
    await db.$disconnect();
  }
}

async function answers(url: string): Promise<boolean> {
  const db = createDb(url, { maxConnections: 1, prepare: false });
  try {
    await db.$sql.$queryRaw`SELECT 1`;
    return true;
  } catch {
    return false;
  } finally {
    await db.$disconnect();
  }
}
