import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { forReads, readAddress, withAuthority } from './address.js';

const pem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';

describe('readAddress', () => {
  it('leaves the address of one server as it is, and takes it whatever it accepts', () => {
    const url = 'postgresql://muster:p%40ss@db.example:6432/muster?application_name=x%20y';
    expect(readAddress(url)).toEqual({
      servers: [{ name: 'db.example:6432', connectionString: url }],
      writable: false,
    });
  });

  it('makes one address of each server, and wants one that accepts writes', () => {
    const { servers, writable } = readAddress('postgres://u:p@one:1,[::1]:2,three/db?connect_timeout=3');
    expect(writable).toBe(true);
    expect(servers.map(({ name }) => name)).toEqual(['one:1', '[::1]:2', 'three']);
    expect(servers.map(({ connectionString }) => connectionString)).toEqual([
      'postgres://u:p@one:1/db?connect_timeout=3',
      'postgres://u:p@[::1]:2/db?connect_timeout=3',
      'postgres://u:p@three/db?connect_timeout=3',
    ]);
  });

  it.each([
    ['any', false],
    ['read-write', true],
    ['primary', true],
  ])('takes target_session_attrs=%s', (asked, writable) => {
    const read = readAddress(`postgresql://u@one,two/db?target_session_attrs=${asked}`);
    expect(read).toMatchObject({ writable, servers: [{ connectionString: 'postgresql://u@one/db' }, {}] });
  });

  it.each(['postgresql://u:pw@/muster', 'postgresql:///muster'])('takes a socket: %s', (url) => {
    const { servers } = readAddress(`${url}?host=/cloudsql/game:eu:db`);
    expect(servers).toMatchObject([{ name: '/cloudsql/game:eu:db' }]);
    const [{ connectionString } = {}] = servers;
    expect(new pg.Client({ connectionString })).toMatchObject({
      host: '/cloudsql/game:eu:db',
      database: 'muster',
    });
  });

  it('takes any of several servers that are only read, unless the address says otherwise', () => {
    for (const url of ['postgresql://u@one,two/db', 'postgresql://u@one,two/db?connect_timeout=3']) {
      expect(readAddress(url).writable).toBe(true);
      expect(readAddress(forReads(url)).writable).toBe(false);
      expect(readAddress(withAuthority(forReads(url), pem))).toMatchObject({ writable: false });
    }
    const asked = 'postgresql://u@one,two/db?target_session_attrs=primary';
    expect(forReads(asked)).toBe(asked);
  });

  it('reads the authority from a file, or takes its text', () => {
    const folder = mkdtempSync(join(tmpdir(), 'muster-address-'));
    const file = join(folder, 'ca.pem');
    writeFileSync(file, pem);
    const wanted = {
      servers: [{ name: 'one', connectionString: 'postgresql://u@one/db', ssl: { ca: pem } }],
      writable: false,
    };
    expect(readAddress(`postgresql://u@one/db?sslmode=verify-full&sslrootcert=${file}`)).toEqual(wanted);
    expect(readAddress(withAuthority('postgresql://u@one/db?sslmode=verify-full', pem))).toEqual(wanted);
    expect(readAddress(withAuthority('postgresql://u@one/db', pem))).toEqual(wanted);
    expect(withAuthority('postgresql://u@one/db', undefined)).toBe('postgresql://u@one/db');
    rmSync(folder, { recursive: true });
  });

  it.each([
    'ssl=true',
    'ssl=1',
    'sslmode=verify-ca',
    'sslmode=require',
    'sslmode=prefer',
    'sslnegotiation=postgres&ssl=true',
  ])('keeps the authority beside %s, which the driver would prefer', (parameter) => {
    const [server] = readAddress(withAuthority(`postgresql://u@one/db?${parameter}`, pem)).servers;
    expect(server?.ssl).toEqual({ ca: pem });
    const { connectionString, ssl } = server ?? {};
    expect(new pg.Client({ connectionString, ssl })).toMatchObject({ ssl: { ca: pem } });
  });

  it("gives the client's certificate and key together with the authority", () => {
    const folder = mkdtempSync(join(tmpdir(), 'muster-address-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [cert, key] = [join(folder, 'client.pem'), join(folder, 'client.key')];
    writeFileSync(cert, 'a certificate');
    writeFileSync(key, 'a key');
    const url = withAuthority(`postgresql://u@one/db?sslcert=${cert}&sslkey=${key}`, pem);
    const { connectionString, ssl } = readAddress(url).servers[0] ?? {};
    expect(connectionString).toBe('postgresql://u@one/db');
    expect(ssl).toEqual({ ca: pem, cert: 'a certificate', key: 'a key' });
    expect(new pg.Client({ connectionString, ssl })).toMatchObject({
      ssl: { ca: pem, cert: 'a certificate' },
    });
  });

  it.each([
    ['mysql://u@one/db', /must have the form postgresql:/],
    ['postgresql://u:pw@/db', /must have the form postgresql:/],
    ['', /must have the form postgresql:/],
    ['postgresql://u@one:99999/db', /must have the form/],
    ['postgresql://u@one,,two/db', /has an empty host among "one,,two"/],
    ['postgresql://u@one/db?target_session_attrs=standby', /possible are any, read-write, primary/],
    ['postgresql://u@one/db?sslmode=full', /has sslmode=full; possible are disable, /],
    ['postgresql://u@one/db?sslrootcert=/no/such/file', /names the file \/no\/such\/file as sslrootcert/],
    [withAuthority('postgresql://u@one/db?sslmode=disable', pem), /both sslmode=disable and a certificate/],
    ...['ssl=0', 'ssl=false', 'ssl=no-verify', 'sslmode=no-verify'].map((given): [string, RegExp] => [
      withAuthority(`postgresql://u@one/db?${given}`, pem),
      new RegExp(`has both ${given} and a certificate authority, which would not be used: leave ssl`),
    ]),
    [
      withAuthority('postgresql://u@one/db?sslnegotiation=direct', pem),
      /leave sslnegotiation out, or set it to postgres/,
    ],
    [
      withAuthority('postgresql://u@one/db?sslcert=/no/such/file', pem),
      /names the file \/no\/such\/file as sslcert/,
    ],
    ['postgresql://u@one/db?sslrootcert=package.json', /is no certificate in PEM form/],
  ])('refuses %s', (url, problem) => {
    expect(() => readAddress(url)).toThrow(problem);
  });

  it('does not repeat the password', () => {
    expect(() => readAddress('postgresql://u:secret@one,,two/db')).toThrow(/^(?!.*secret)/);
  });
});
