import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRedisTarget, type RedisSettings } from './index.js';

const at = (url: string, more: Omit<RedisSettings, 'REDIS_URL'> = {}): ReturnType<typeof readRedisTarget> =>
  readRedisTarget({ REDIS_URL: url, ...more });
const flaw = (url: string, more: Omit<RedisSettings, 'REDIS_URL'> = {}): string => {
  try {
    at(url, more);
    return 'no error';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

let directory: string;
let certificate: string;
let key: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'muster-target-'));
  certificate = join(directory, 'some.crt');
  key = join(directory, 'some.key');
  await writeFile(certificate, '-----BEGIN CERTIFICATE-----\n…');
  await writeFile(key, '-----BEGIN EC PRIVATE KEY-----\n…');
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe('REDIS_URL', () => {
  it('names one server, with the usual port and database unless it says otherwise', () => {
    expect(at('redis://cache')).toEqual({
      kind: 'single',
      address: { host: 'cache', port: 6379 },
      db: 0,
      family: 0,
    });
    expect(at('redis://ann:secret@127.0.0.1:7000/3?family=6')).toEqual({
      kind: 'single',
      address: { host: '127.0.0.1', port: 7000 },
      db: 3,
      family: 6,
      username: 'ann',
      password: 'secret',
    });
    expect(at('redis://[::1]:7000/')).toMatchObject({ address: { host: '::1', port: 7000 }, db: 0 });
  });

  it('has a password with encoded characters, or an @', () => {
    expect(at('redis://:p%40s%2Fs@cache')).toMatchObject({ password: 'p@s/s' });
    expect(at('redis://:p@ss@cache')).toMatchObject({ password: 'p@ss', address: { host: 'cache' } });
  });

  it('names sentinels and the master that they watch', () => {
    expect(at('redis+sentinel://one,two:5000,[::2]/mymaster/2')).toEqual({
      kind: 'sentinel',
      sentinels: [
        { host: 'one', port: 26_379 },
        { host: 'two', port: 5000 },
        { host: '::2', port: 26_379 },
      ],
      master: 'mymaster',
      db: 2,
      family: 0,
    });
  });

  it('names nodes of a Cluster', () => {
    expect(at('rediss+cluster://ann:secret@one:7000,two')).toEqual({
      kind: 'cluster',
      nodes: [
        { host: 'one', port: 7000 },
        { host: 'two', port: 6379 },
      ],
      family: 0,
      tls: {},
      username: 'ann',
      password: 'secret',
    });
  });

  it.each([
    ['localhost:6379', /^REDIS_URL is not of the right form; write redis:\/\/host:6379, /],
    ['https://cache', /not of the right form/],
    ['redis+sentinels://cache', /not of the right form/],
    ['', /not of the right form/],
    ['redis://', /has an empty host/],
    ['redis+cluster://one,,two', /has an empty host/],
    ['redis://a b', /has "a b" where a host and port are expected/],
    ['redis://cache:port', /has the port "port" of cache; a port is a number from 1 to 65535/],
    ['redis://cache:65536', /has the port "65536"/],
    ['redis://cache:0', /has the port "0"/],
    ['redis://one,two', /names several hosts; several are for /],
    ['redis://cache/first', /has the database "first"; a database is a number/],
    ['redis://cache?tls=yes', /has the unknown parameter "tls"/],
    ['redis://cache?family=5', /has family=5; it is 4, 6, or 0 for both/],
    ['redis://ann@cache', /names a user, but there is no password/],
    ['redis://:100%@cache', /write %25 for %/],
    ['redis+cluster://one/1', /ends with \/1, but a Redis Cluster has only database 0/],
    ['redis+sentinel://one', /does not name the master that the sentinels watch/],
    ['redis+sentinel://one/a/b/c', /does not name the master/],
    ['redis+sentinel://one/mymaster/x', /has the database "x"/],
  ])('is refused with a sentence: %s', (url, sentence) => {
    expect(flaw(url)).toMatch(sentence);
    expect(flaw(url)).toMatch(/^REDIS_URL .*\.$/);
  });

  it('is not repeated in a message, because it may contain a password', () => {
    for (const url of ['redis://ann:secret@cache:x', 'redis:/ann:secret@cache', 'redis://ann:secret@one,two'])
      expect(flaw(url)).not.toMatch(/secret|no error/);
  });
});

describe('settings beside the URL', () => {
  it('name the user and the password', () => {
    expect(at('redis://cache', { REDIS_USERNAME: 'ann', REDIS_PASSWORD: 'p@ss' })).toMatchObject({
      username: 'ann',
      password: 'p@ss',
    });
    expect(at('redis://ann@cache', { REDIS_PASSWORD: 'p' })).toMatchObject({
      username: 'ann',
      password: 'p',
    });
  });

  it('name files for TLS and the name in certificates', () => {
    const files = { REDIS_CA_FILE: certificate, REDIS_CERT_FILE: certificate, REDIS_KEY_FILE: key };
    expect(at('rediss://cache', { ...files, REDIS_SERVERNAME: 'redis.test' }).tls).toEqual({
      ca: expect.stringContaining('CERTIFICATE') as string,
      cert: expect.stringContaining('CERTIFICATE') as string,
      key: expect.stringContaining('PRIVATE KEY') as string,
      servername: 'redis.test',
    });
  });

  it('name the user of sentinels', () => {
    const sentinel = { REDIS_SENTINEL_USERNAME: 'watch', REDIS_SENTINEL_PASSWORD: 'word' };
    expect(at('redis+sentinel://one/m', sentinel)).toMatchObject({
      sentinelUsername: 'watch',
      sentinelPassword: 'word',
    });
  });

  it('are refused with a sentence where they contradict the URL or each other', () => {
    expect(flaw('redis://ann:a@cache', { REDIS_USERNAME: 'bob' })).toBe(
      'REDIS_USERNAME is set, but REDIS_URL names a user too.',
    );
    expect(flaw('redis://:a@cache', { REDIS_PASSWORD: 'b' })).toBe(
      'REDIS_PASSWORD is set, but REDIS_URL contains a password too.',
    );
    expect(flaw('redis://cache', { REDIS_USERNAME: 'bob' })).toMatch(
      /^REDIS_USERNAME names a user, but there is no/,
    );
    expect(flaw('redis://cache', { REDIS_CA_FILE: certificate })).toBe(
      'REDIS_CA_FILE is set, but REDIS_URL is without TLS: begin it with rediss.',
    );
    expect(flaw('rediss://cache', { REDIS_CERT_FILE: certificate })).toMatch(/but not REDIS_KEY_FILE/);
    expect(flaw('rediss://cache', { REDIS_KEY_FILE: key })).toMatch(/but not REDIS_CERT_FILE/);
    expect(flaw('rediss://cache', { REDIS_CA_FILE: '/no/such/file' })).toMatch(
      /\/no\/such\/file, which cannot be read/,
    );
    expect(flaw('rediss://cache', { REDIS_CA_FILE: key })).toMatch(/no PEM text of that kind/);
    expect(flaw('redis://cache', { REDIS_SENTINEL_PASSWORD: 'x' })).toMatch(/names no sentinels/);
    expect(flaw('redis+sentinel://one/m', { REDIS_SENTINEL_USERNAME: 'x' })).toMatch(
      /not REDIS_SENTINEL_PASSWORD/,
    );
  });
});
