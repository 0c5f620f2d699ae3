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
  readonly ssl?: { readonly ca: string };
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

/** The text of certificates: given itself, or the path of a file. */
function certificateOf(given: string): string {
  if (given.startsWith('-----BEGIN')) return given;
  try {
    return readFileSync(given, 'utf8');
  } catch {
    return bad(`names the file ${given} as sslrootcert, which cannot be read`);
  }
}

/** Takes the authority out of the parameters: the driver accepts a file only. */
function authorityOf(params: URLSearchParams): ServerAddress['ssl'] {
  const mode = params.get('sslmode');
  if (mode !== null && !sslModes.has(mode))
    bad(`has sslmode=${mode}; possible are ${[...sslModes].join(', ')}`);
  const given = params.get('sslrootcert');
  if (given === null) return undefined;
  if (mode === 'disable' || mode === 'no-verify')
    bad(`has both sslmode=${mode} and a certificate authority, which would not be used`);
  const ca = certificateOf(given);
  if (!ca.includes('-----BEGIN CERTIFICATE-----'))
    bad('has an sslrootcert that is no certificate in PEM form (-----BEGIN CERTIFICATE-----)');
  params.delete('sslrootcert');
  params.delete('sslmode');
  return { ca };
}

/**
 * Reads the address of a database.
 *
 * 1. Several servers are separated by commas: `postgresql://user@one:5432,two:5432/muster`. Each is tried in turn.
 * 2. `target_session_attrs` is `read-write` (or `primary`) to take a server that accepts writes only, which is the
 *    default for several servers, or `any`.
 * 3. `sslrootcert` is a file or the certificate's text. It implies `sslmode=verify-full`.
 *
 * @throws BadAddress
 */
export function readAddress(url: string): DatabaseAddress {
  const found = parts.exec(url);
  if (!found) return bad(`must have the form ${form}`);
  const [, scheme = '', login = '', hosts = '', rest = ''] = found;
  const names = hosts.split(',').map((host) => host.trim());
  if (names.includes('') && names.length > 1) bad(`has an empty host among "${hosts}"`);
  const probes = names.map((name) => `${scheme}${login}${name}${rest}`);
  for (const probe of probes) if (!URL.canParse(probe)) bad(`must have the form ${form}`);
  const [mark, ...query] = rest.split('?');
  const params = new URLSearchParams(query.join('?'));
  const writable = mustBeWritable(params.get('target_session_attrs'), names.length);
  params.delete('target_session_attrs');
  const ssl = authorityOf(params);
  const more = params.size > 0 ? `?${params.toString().replaceAll('+', '%20')}` : '';
  const servers = names.map((name) => ({
    name,
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
