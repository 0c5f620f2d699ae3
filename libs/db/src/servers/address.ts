import { readFileSync } from 'node:fs';

/** The address of a database is not usable; the message says what is wrong with it. */
export class BadAddress extends Error {
  override readonly name = 'BadAddress';
}

/** How to reach one server of a database. */
export interface ServerAddress {
  /** `host:port`, for messages. */
  readonly name: string;
  readonly connectionString: string;
  /** Set if the certificate of the server is verified against a given authority. */
  readonly ssl?: Verified;
}

/** Certificates as PEM text: of the authority, and of the client with its key, if the server asks for one. */
export interface Verified {
  readonly ca: string;
  readonly cert?: string;
  readonly key?: string;
}

/** The servers of one database. All have its data; one is the primary. */
export interface DatabaseAddress {
  /** In the order in which they are tried; at least one. */
  readonly servers: readonly ServerAddress[];
  /** Whether only a server that accepts writes will do. */
  readonly writable: boolean;
}

const form = 'postgresql://user:password@host:5432/database';
/** Scheme, user with password, hosts, the rest. */
const parts = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#@]*)([^]*)$/;
const sslModes = new Set(['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full']);
const attributes: ReadonlyMap<string, boolean> = new Map([
  ['any', false],
  ['read-write', true],
  ['primary', true],
]);

function bad(problem: string): never {
  throw new BadAddress(`The address of the database ${problem}.`);
}

/** Whether a connection must accept writes: by default if there are several servers to choose from. */
function mustBeWritable(asked: string | null, servers: number): boolean {
  if (asked === null) return servers > 1;
  const writable = attributes.get(asked);
  return (
    writable ?? bad(`has target_session_attrs=${asked}; possible are ${[...attributes.keys()].join(', ')}`)
  );
}

/** The text of a file that a parameter names. */
function fileOf(parameter: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return bad(`names the file ${file} as ${parameter}, which cannot be read`);
  }
}

/**
 * Parameters that contradict an authority, and their values that do not. `require` is what hosters write into their
 * addresses; an authority makes it stricter, as it does in libpq.
 */
const besideAuthority: readonly (readonly [string, readonly string[]])[] = [
  ['ssl', ['true', '1']],
  ['sslmode', ['verify-full', 'verify-ca', 'require', 'prefer']],
  ['sslnegotiation', ['postgres']],
];

/** Takes the certificates out of the parameters: the driver accepts files only, and no authority beside `ssl`. */
function authorityOf(params: URLSearchParams): ServerAddress['ssl'] {
  const mode = params.get('sslmode');
  if (mode !== null && !sslModes.has(mode))
    bad(`has sslmode=${mode}; possible are ${[...sslModes].join(', ')}`);
  const given = params.get('sslrootcert');
  if (given === null) return undefined;
  for (const [name, accepted] of besideAuthority)
    for (const value of params.getAll(name))
      if (!accepted.includes(value))
        bad(
          `has both ${name}=${value} and a certificate authority, which would not be used: leave ${name} out, or set it to ${accepted[0]}`,
        );
  const ca = given.startsWith('-----BEGIN') ? given : fileOf('sslrootcert', given);
  if (!ca.includes('-----BEGIN CERTIFICATE-----'))
    bad('has an sslrootcert that is no certificate in PEM form (-----BEGIN CERTIFICATE-----)');
  const [cert, key] = [params.get('sslcert'), params.get('sslkey')];
  const found = {
    ca,
    ...(cert ? { cert: fileOf('sslcert', cert) } : {}),
    ...(key ? { key: fileOf('sslkey', key) } : {}),
  };
  for (const name of ['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey']) params.delete(name);
  return found;
}

/**
 * Reads the address of a database.
 *
 * 1. Several servers are separated by commas: `postgresql://user@one:5432,two:5432/muster`. Each is tried in turn.
 * 2. `target_session_attrs` is `read-write` (or `primary`) to take a server that accepts writes only, which is the
 *    default for several servers, or `any`.
 * 3. Without a host, the parameter `host` is one, or the directory of a socket.
 * 4. `sslrootcert` is a file or the certificate's text. It implies `sslmode=verify-full`.
 *
 * @throws BadAddress
 */
export function readAddress(url: string): DatabaseAddress {
  const found = parts.exec(url);
  if (!found) return bad(`must have the form ${form}`);
  const [, scheme = '', login = '', hosts = '', rest = ''] = found;
  const [mark, ...query] = rest.split('?');
  const params = new URLSearchParams(query.join('?'));
  const names = hosts.split(',').map((host) => host.trim());
  if (names.includes('') && names.length > 1) bad(`has an empty host among "${hosts}"`);
  // Without a host, the driver takes that of the parameters, such as the directory of a socket.
  const socket = hosts === '' ? params.get('host') : null;
  const probes = names.map((name) => `${scheme}${login}${socket ? 'socket' : name}${rest}`);
  for (const probe of probes) if (!URL.canParse(probe)) bad(`must have the form ${form}`);
  const writable = mustBeWritable(params.get('target_session_attrs'), names.length);
  params.delete('target_session_attrs');
  const ssl = authorityOf(params);
  const more = params.size > 0 ? `?${params.toString().replaceAll('+', '%20')}` : '';
  const servers = names.map((name) => ({
    name: socket ?? name,
    connectionString: `${scheme}${login}${name}${mark}${more}`,
    ...(ssl ? { ssl } : {}),
  }));
  return { servers, writable };
}

/** Adds a certificate authority to an address. @param ca PEM text; undefined leaves the address as it is */
export function withAuthority(url: string, ca: string | undefined): string {
  if (ca === undefined) return url;
  return `${url}${url.includes('?') ? '&' : '?'}sslrootcert=${encodeURIComponent(ca)}`;
}

/** The address of servers that are only read: any of several will do, unless the address says otherwise. */
export function forReads(url: string): string {
  if (/[?&]target_session_attrs=/.test(url)) return url;
  return `${url}${url.includes('?') ? '&' : '?'}target_session_attrs=any`;
}
