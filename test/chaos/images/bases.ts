import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { apart, attempt, run } from './commands.js';

// There is no image registry: base images are made of Debian's packages and this machine's Node.

const sharedPackages = ['ca-certificates'];
/** What official images of the stores and of the ingress have. BusyBox has the `wget` of Alpine. */
const storePackages = [...sharedPackages, 'redis-server', 'postgresql', 'haproxy', 'busybox-static'];
const suite = 'bookworm';

/** Makes the root file systems, one after the other. @param signal ends it */
export function makeRoots(
  folder: string,
  signal: AbortSignal,
): {
  readonly node: Promise<string>;
  readonly stores: Promise<string>;
} {
  const root = async (name: string, packages: readonly string[]): Promise<string> => {
    const path = join(folder, `${name}.tar`);
    const args = ['--quiet', '--variant=minbase', `--include=${packages.join(',')}`, suite, path];
    // A mirror that breaks a connection is asked again.
    for (const isLast of [false, true]) {
      const [command, before] = apart('--mount');
      const { code, all } = await attempt(command, [...before, 'mmdebstrap', ...args], {
        limitMs: 300_000,
        env: { TMPDIR: folder },
        signal,
      });
      if (code === 0) return path;
      if (isLast || signal.aborted)
        throw new Error(`mmdebstrap could not make ${name}:\n${all.slice(-2_000)}`);
    }
    return path;
  };
  const node = root('node', sharedPackages);
  // Made while the images are built. Its error is handled where it is awaited.
  const stores = node.then(() => root('stores', storePackages));
  stores.catch(() => undefined);
  return { node, stores };
}

/** Where npm of this machine is installed. */
async function npmFolder(): Promise<string> {
  const { npm_execpath: running } = process.env;
  if (running && existsSync(running)) return dirname(dirname(realpathSync(running)));
  const found = (await run('sh', ['-c', 'command -v npm'])).trim();
  return dirname(dirname(realpathSync(found)));
}

/** The build context of the base image with Node. Certificates that this machine trusts are trusted in it. */
export async function nodeContext(folder: string): Promise<string> {
  const context = join(folder, 'node-context');
  mkdirSync(context, { recursive: true });
  copyFileSync(process.execPath, join(context, 'node'));
  chmodSync(join(context, 'node'), 0o755);
  cpSync(await npmFolder(), join(context, 'npm'), { recursive: true, dereference: true });
  const trusted = process.env['NODE_EXTRA_CA_CERTS'] ?? '/etc/ssl/certs/ca-certificates.crt';
  const isThere = existsSync(trusted);
  if (isThere) copyFileSync(trusted, join(context, 'trusted.crt'));
  writeFileSync(
    join(context, 'Dockerfile'),
    [
      'FROM muster-test/debian-node',
      'COPY node /usr/local/bin/node',
      'COPY npm /usr/local/lib/node_modules/npm',
      'RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm',
      ...(isThere
        ? [
            'COPY trusted.crt /usr/local/share/trusted.crt',
            'ENV NODE_EXTRA_CA_CERTS=/usr/local/share/trusted.crt',
          ]
        : []),
    ].join('\n'),
  );
  return context;
}

/** As the official image: the first start makes the cluster, its user and its database. */
const postgresEntry = `#!/bin/sh
set -e
data=/var/lib/postgresql/data
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$data"
  chown -R postgres:postgres /var/lib/postgresql
  exec setpriv --reuid=postgres --regid=postgres --init-groups "$0" "$@"
fi
if [ ! -s "$data/PG_VERSION" ]; then
  printf %s "$POSTGRES_PASSWORD" > /tmp/password
  initdb -D "$data" -U "$POSTGRES_USER" --pwfile=/tmp/password --auth-local=trust --auth-host=scram-sha-256 -E UTF8 --locale=C.UTF-8
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$data/pg_hba.conf"
  pg_ctl -D "$data" -o "-c listen_addresses='' -k /tmp" -w start
  createdb -h /tmp -U "$POSTGRES_USER" "$POSTGRES_DB" 2>/dev/null || true
  pg_ctl -D "$data" -m fast -w stop
fi
shift
exec postgres -D "$data" -k /tmp -c listen_addresses='*' "$@"
`;

/** Build contexts of the stores and the ingress, by the name of their image. */
export function storeContexts(folder: string): Readonly<Record<string, string>> {
  const context = (
    name: string,
    lines: readonly string[],
    files: Readonly<Record<string, string>> = {},
  ): string => {
    const path = join(folder, `${name}-context`);
    mkdirSync(path, { recursive: true });
    for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text, { mode: 0o755 });
    writeFileSync(join(path, 'Dockerfile'), ['FROM muster-test/debian-stores', ...lines].join('\n'));
    return path;
  };
  return {
    valkey: context('valkey', [
      'RUN ln -s /usr/bin/redis-server /usr/local/bin/valkey-server && ln -s /usr/bin/redis-cli /usr/local/bin/valkey-cli && mkdir -p /data && chown redis:redis /data',
      'USER redis',
      'WORKDIR /data',
      'VOLUME /data',
      'CMD ["valkey-server"]',
    ]),
    postgres: context(
      'postgres',
      [
        'RUN for f in /usr/lib/postgresql/*/bin/*; do ln -sf "$f" /usr/local/bin/; done',
        'COPY entry.sh /entry.sh',
        'VOLUME /var/lib/postgresql',
        'STOPSIGNAL SIGINT',
        'ENTRYPOINT ["/entry.sh"]',
        'CMD ["postgres"]',
      ],
      { 'entry.sh': postgresEntry },
    ),
    haproxy: context('haproxy', [
      'RUN ln -s /usr/bin/busybox /usr/local/bin/wget',
      'USER haproxy',
      'STOPSIGNAL SIGUSR1',
      'CMD ["haproxy", "-W", "-db", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]',
    ]),
  };
}
