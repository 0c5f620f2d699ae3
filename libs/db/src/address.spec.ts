import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAddress, withAuthority } from './address.js';

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
    ['mysql://u@one/db', /must have the form postgresql:/],
    ['', /must have the form postgresql:/],
    ['postgresql://u@one:99999/db', /must have the form/],
    ['postgresql://u@one,,two/db', /has an empty host among "one,,two"/],
    ['postgresql://u@one/db?target_session_attrs=standby', /possible are any, read-write, primary/],
    ['postgresql://u@one/db?sslmode=full', /has sslmode=full; possible are disable, /],
    ['postgresql://u@one/db?sslrootcert=/no/such/file', /names the file \/no\/such\/file as sslrootcert/],
    [withAuthority('postgresql://u@one/db?sslmode=disable', pem), /both sslmode=disable and a certificate/],
    ['postgresql://u@one/db?sslrootcert=package.json', /is no certificate in PEM form/],
  ])('refuses %s', (url, problem) => {
    expect(() => readAddress(url)).toThrow(problem);
  });

  it('does not repeat the password', () => {
    expect(() => readAddress('postgresql://u:secret@one,,two/db')).toThrow(/^(?!.*secret)/);
  });
});
