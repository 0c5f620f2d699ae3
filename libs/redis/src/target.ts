import { Misconfigured } from '@muster/domain';
import { readFileSync } from 'node:fs';

/** A host and port. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** TLS of a connection. Certificates are PEM text. */
export interface Tls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly servername?: string;
}

interface Access {
  readonly username?: string;
  readonly password?: string;
  readonly tls?: Tls;
  /** The IP version of connections; 0 takes both. */
  readonly family: 0 | 4 | 6;
}

/** Where Redis is and how to connect to it, from {@link readRedisTarget}. */
export type RedisTarget = Access &
  (
    | { readonly kind: 'single'; readonly address: Address; readonly db: number }
    | {
        readonly kind: 'sentinel';
        readonly sentinels: readonly Address[];
        /** The name under which the sentinels know the master. */
        readonly master: string;
        readonly db: number;
        readonly sentinelUsername?: string;
        readonly sentinelPassword?: string;
      }
    | { readonly kind: 'cluster'; readonly nodes: readonly Address[] }
  );

/** The settings of a connection, by their names in the environment. */
export interface RedisSettings {
  readonly REDIS_URL: string;
  readonly REDIS_USERNAME?: string | undefined;
  readonly REDIS_PASSWORD?: string | undefined;
  readonly REDIS_SENTINEL_USERNAME?: string | undefined;
  readonly REDIS_SENTINEL_PASSWORD?: string | undefined;
  readonly REDIS_CA_FILE?: string | undefined;
  readonly REDIS_CERT_FILE?: string | undefined;
  readonly REDIS_KEY_FILE?: string | undefined;
  readonly REDIS_SERVERNAME?: string | undefined;
}

/** A setting is wrong. The message is one sentence that names it, and contains no password. */
export class RedisSettingsInvalid extends Misconfigured {}

const schemes =
  'redis://host:6379, redis+sentinel://host1:26379,host2:26379/mymaster or redis+cluster://host1:6379,host2:6379 (with TLS: rediss instead of redis)';

const ports = { single: 6379, sentinel: 26_379, cluster: 6379 };

/**
 * Reads where Redis is.
 *
 * @throws RedisSettingsInvalid
 */
export function readRedisTarget(settings: RedisSettings): RedisTarget {
  const url = parse(settings.REDIS_URL);
  const { kind, addresses, path } = url;
  const access: Access = {
    family: url.family,
    ...credentials(settings, url),
    ...(url.isEncrypted ? { tls: tlsOf(settings) } : withoutTls(settings)),
  };
  if (kind !== 'sentinel') withoutSentinel(settings);
  const [address] = addresses;
  switch (kind) {
    case 'single':
      if (addresses.length > 1 || address === undefined)
        throw wrong('REDIS_URL', `names several hosts; several are for ${schemes}`);
      return { ...access, kind, address, db: database(path) };
    case 'cluster':
      if (path !== '' && path !== '0')
        throw wrong('REDIS_URL', `ends with /${path}, but a Redis Cluster has only database 0: remove it`);
      return { ...access, kind, nodes: addresses };
    case 'sentinel':
      return { ...access, kind, sentinels: addresses, ...masterIn(path), ...sentinelAccess(settings) };
  }
}

const wrong = (setting: string, what: string): RedisSettingsInvalid =>
  new RedisSettingsInvalid(`${setting} ${what}.`);

interface ParsedUrl {
  readonly kind: RedisTarget['kind'];
  readonly isEncrypted: boolean;
  readonly username: string;
  readonly password: string;
  readonly addresses: readonly Address[];
  /** Without its first slash. */
  readonly path: string;
  readonly family: 0 | 4 | 6;
}

function parse(url: string): ParsedUrl {
  const parts =
    /^redis(s?)(?:\+(sentinel|cluster))?:\/\/(?:(.*)@)?([^@/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/.exec(url);
  if (!parts) throw wrong('REDIS_URL', `is not of the right form; write ${schemes}`);
  const [, secure = '', topology = 'single', user = '', hosts = '', path = '', query = ''] = parts;
  const kind = topology === 'sentinel' || topology === 'cluster' ? topology : 'single';
  const colon = user.indexOf(':');
  return {
    kind,
    isEncrypted: secure !== '',
    username: decoded(colon < 0 ? user : user.slice(0, colon)),
    password: colon < 0 ? '' : decoded(user.slice(colon + 1)),
    addresses: hosts.split(',').map((host) => addressIn(host, ports[kind])),
    path: decoded(path),
    family: familyIn(query),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrong('REDIS_URL', 'has a % that is not part of an encoded character; write %25 for %');
  }
}

function addressIn(text: string, usual: number): Address {
  const parts = /^(\[[0-9a-fA-F:.%]+\]|[^:[\]\s]+)(?::(.*))?$/.exec(text);
  if (!parts) {
    const flaw = text === '' ? 'has an empty host' : `has "${text}" where a host and port are expected`;
    throw wrong('REDIS_URL', `${flaw}; write ${schemes}`);
  }
  const [, host = '', port] = parts;
  const number = port === undefined ? usual : /^\d{1,5}$/.test(port) ? Number(port) : 0;
  if (number < 1 || number > 65_535)
    throw wrong('REDIS_URL', `has the port "${port}" of ${host}; a port is a number from 1 to 65535`);
  return { host: host.startsWith('[') ? host.slice(1, -1) : host, port: number };
}

function familyIn(query: string): 0 | 4 | 6 {
  let family: 0 | 4 | 6 = 0;
  for (const [name, value] of new URLSearchParams(query)) {
    if (name !== 'family') throw wrong('REDIS_URL', `has the unknown parameter "${name}"; "family" is known`);
    if (value !== '0' && value !== '4' && value !== '6')
      throw wrong('REDIS_URL', `has family=${value}; it is 4, 6, or 0 for both`);
    family = value === '4' ? 4 : value === '6' ? 6 : 0;
  }
  return family;
}

function credentials(
  { REDIS_USERNAME, REDIS_PASSWORD }: RedisSettings,
  url: ParsedUrl,
): Pick<Access, 'username' | 'password'> {
  if (REDIS_USERNAME && url.username) throw wrong('REDIS_USERNAME', 'is set, but REDIS_URL names a user too');
  if (REDIS_PASSWORD && url.password)
    throw wrong('REDIS_PASSWORD', 'is set, but REDIS_URL contains a password too');
  const username = REDIS_USERNAME || url.username;
  const password = REDIS_PASSWORD || url.password;
  if (username && !password)
    throw wrong(REDIS_USERNAME ? 'REDIS_USERNAME' : 'REDIS_URL', 'names a user, but there is no password');
  return { ...(username ? { username } : {}), ...(password ? { password } : {}) };
}

function tlsOf(settings: RedisSettings): Tls {
  const { REDIS_CERT_FILE, REDIS_KEY_FILE, REDIS_SERVERNAME: servername } = settings;
  if (REDIS_CERT_FILE && !REDIS_KEY_FILE) throw wrong('REDIS_CERT_FILE', 'is set, but not REDIS_KEY_FILE');
  if (REDIS_KEY_FILE && !REDIS_CERT_FILE) throw wrong('REDIS_KEY_FILE', 'is set, but not REDIS_CERT_FILE');
  const ca = pem(settings, 'REDIS_CA_FILE', /-----BEGIN CERTIFICATE-----/);
  const cert = pem(settings, 'REDIS_CERT_FILE', /-----BEGIN CERTIFICATE-----/);
  const key = pem(settings, 'REDIS_KEY_FILE', /-----BEGIN [A-Z ]*PRIVATE KEY-----/);
  return {
    ...(ca ? { ca } : {}),
    ...(cert && key ? { cert, key } : {}),
    ...(servername ? { servername } : {}),
  };
}

const tlsSettings = ['REDIS_CA_FILE', 'REDIS_CERT_FILE', 'REDIS_KEY_FILE', 'REDIS_SERVERNAME'] as const;

function withoutTls(settings: RedisSettings): Record<string, never> {
  for (const name of tlsSettings)
    if (settings[name]) throw wrong(name, 'is set, but REDIS_URL is without TLS: begin it with rediss');
  return {};
}

function pem(settings: RedisSettings, name: (typeof tlsSettings)[number], content: RegExp): string | null {
  const path = settings[name];
  if (!path) return null;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw wrong(name, `names the file ${path}, which cannot be read`);
  }
  if (!content.test(text)) throw wrong(name, `names the file ${path}, which has no PEM text of that kind`);
  return text;
}

function withoutSentinel(settings: RedisSettings): void {
  for (const name of ['REDIS_SENTINEL_USERNAME', 'REDIS_SENTINEL_PASSWORD'] as const)
    if (settings[name])
      throw wrong(name, 'is set, but REDIS_URL names no sentinels: begin it with redis+sentinel');
}

function sentinelAccess({
  REDIS_SENTINEL_USERNAME: username,
  REDIS_SENTINEL_PASSWORD: password,
}: RedisSettings): { sentinelUsername?: string; sentinelPassword?: string } {
  if (username && !password)
    throw wrong('REDIS_SENTINEL_USERNAME', 'is set, but not REDIS_SENTINEL_PASSWORD');
  return {
    ...(username ? { sentinelUsername: username } : {}),
    ...(password ? { sentinelPassword: password } : {}),
  };
}

/** `mymaster` or `mymaster/0`. */
function masterIn(path: string): { master: string; db: number } {
  const [master = '', db = '', ...more] = path.split('/');
  if (master === '' || more.length > 0)
    throw wrong(
      'REDIS_URL',
      'does not name the master that the sentinels watch; write redis+sentinel://host1:26379,host2:26379/mymaster',
    );
  return { master, db: database(db) };
}

function database(text: string): number {
  if (text === '') return 0;
  if (!/^\d{1,5}$/.test(text))
    throw wrong('REDIS_URL', `has the database "${text}"; a database is a number, such as /0`);
  return Number(text);
}
