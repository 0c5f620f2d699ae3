import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BadAnswer, fetchJson, freshnessOf, readLimit } from './fetch-json.js';
import { KeyReader, mayFetch } from './key-reader.js';

let login: Server;
let origin: string;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
beforeEach(async () => {
  login = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => login.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(login.address() as AddressInfo).port}`;
});
afterEach(() => {
  login.closeAllConnections();
  login.close();
});

const json =
  (value: unknown) =>
  (_: IncomingMessage, response: ServerResponse): void =>
    void response.end(JSON.stringify(value));
const keysAt = (path: string): URL => new URL(`${origin}${path}?secret=1`);

describe('a login', () => {
  it('that answers is read', async () => {
    answer = json({ keys: [] });
    expect(await fetchJson(keysAt('/jwks'), null, readLimit())).toEqual({
      json: { keys: [] },
      isSame: false,
      freshMs: 600_000,
      etag: null,
    });
  });

  it.each<[string, RegExp, typeof answer]>([
    [
      'redirects',
      /answered 302\.$/,
      (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    ],
    ['refuses', /answered 500\.$/, (_, response) => response.writeHead(500).end('<h1>secret</h1>')],
    ['sends a page', /did not answer with JSON\.$/, (_, response) => response.end('<h1>secret</h1>')],
    ['sends nothing', /did not answer with JSON\.$/, (_, response) => response.end()],
    ['hangs up', /cannot be reached \(UND_ERR_SOCKET\)\.$/, ({ socket }) => socket.destroy()],
    [
      'sends 10 MB',
      /more than 256 KiB\.$/,
      (_, response) => void response.end(JSON.stringify({ keys: [], more: 'x'.repeat(10_000_000) })),
    ],
    [
      'sends 100 MB in 100 KB',
      /more than 256 KiB\.$/,
      (_, response) =>
        void response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(100_000_000, ' '))),
    ],
  ])('that %s is told in a sentence without what it sent', async (_, says, answers) => {
    answer = answers;
    const before = process.memoryUsage().rss;
    const failed = await fetchJson(keysAt('/jwks'), null, readLimit()).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(BadAnswer);
    expect(String(failed)).toMatch(says);
    expect(String(failed)).not.toMatch(/secret/);
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  });

  it('that sends a byte a second is left after four seconds', { timeout: 20_000 }, async () => {
    answer = (_, response) => {
      const timer = setInterval(() => response.write(' '), 1_000);
      response.once('close', () => clearInterval(timer));
    };
    const begun = performance.now();
    await expect(fetchJson(keysAt('/jwks'), null, readLimit())).rejects.toThrow(
      /did not answer within 4 s\.$/,
    );
    expect(performance.now() - begun).toBeLessThan(7_000);
  });

  it('that says “not modified” keeps its keys', async () => {
    const asked: unknown[] = [];
    answer = ({ headers }, response) => {
      asked.push(headers['if-none-match']);
      response.setHeader('etag', '"1"').setHeader('cache-control', 'max-age=120');
      if (headers['if-none-match'] === '"1"') response.writeHead(304).end();
      else response.end('{"keys":[]}');
    };
    const reader = new KeyReader({ url: keysAt('/jwks') }, () => 0, false);
    expect(await reader.read()).toEqual({ jwks: { keys: [] }, freshMs: 120_000 });
    expect(await reader.read()).toEqual({ jwks: null, freshMs: 120_000 });
    expect(asked).toEqual([undefined, '"1"']);
  });
});

describe('discovery', () => {
  const discovering = (): KeyReader => new KeyReader({ discover: `${origin}/` }, () => 0, false);

  it('finds the keys, and asks once where they are', async () => {
    const asked: string[] = [];
    answer = ({ url = '' }, response) => {
      asked.push(url);
      const document = { issuer: `${origin}/`, jwks_uri: `${origin}/keys` };
      json(url === '/keys' ? { keys: [{ kty: 'EC' }] } : document)(Object.create(null), response);
    };
    const reader = discovering();
    for (let i = 0; i < 2; i++) expect((await reader.read()).jwks).toEqual({ keys: [{ kty: 'EC' }] });
    expect(asked).toEqual(['/.well-known/openid-configuration', '/keys', '/keys']);
  });

  it.each<[string, object | null, RegExp]>([
    ['of another issuer', { issuer: 'https://evil.example' }, /names another issuer/],
    ['that is no object', null, /names another issuer/],
    ['without an address', {}, /names no https address of keys/],
    ['with an address of no kind', { jwks_uri: 7 }, /names no https address of keys/],
    ['with a file', { jwks_uri: 'file:///etc/passwd' }, /names no https address of keys/],
    ['with an address inside', { jwks_uri: 'http://169.254.169.254/keys' }, /names no https address of keys/],
  ])('refuses a document %s', async (_, document, says) => {
    answer = json(document && { issuer: `${origin}/`, ...document });
    await expect(discovering().read()).rejects.toThrow(says);
  });

  it.each([[[]], [{}], [{ keys: 'many' }], [{ keys: [1] }], ['keys'], [null]])(
    'and %j are no keys',
    async (set) => {
      answer = json(set);
      await expect(new KeyReader({ url: keysAt('/jwks') }, () => 0, false).read()).rejects.toThrow(
        /no key set/,
      );
    },
  );
});

it.each([
  ['https://login.example/keys', false, true],
  ['http://127.0.0.1:80/keys', false, true],
  ['http://localhost/keys', false, true],
  ['http://[::1]:8080/', false, true],
  ['http://localhost.evil.example/', false, false],
  ['http://keycloak:8080/', false, false],
  ['http://keycloak:8080/', true, true],
  ['file:///etc/passwd', true, false],
  ['data:application/json,{}', true, false],
])('keys are fetched from %s, where http is allowed: %s, %s', (url, allowHttp, expected) => {
  expect(mayFetch(new URL(url), allowHttp)).toBe(expected);
});

it.each<[Record<string, string>, number]>([
  [{}, 600_000],
  [{ 'cache-control': 'public, max-age=19204, must-revalidate' }, 19_204_000],
  [{ 'cache-control': 'max-age=3600', age: '600' }, 3_000_000],
  [{ 'cache-control': 'max-age="90"' }, 90_000],
  [{ 'cache-control': 'max-age=0' }, 60_000],
  [{ 'cache-control': 'no-store, max-age=600' }, 60_000],
  [{ 'cache-control': 'max-age=99999999' }, 86_400_000],
  [{ 'cache-control': 'x-max-age=5' }, 600_000],
  [{ expires: 'Fri, 27 Nov 2026 12:00:00 GMT', date: 'Fri, 27 Nov 2026 11:00:00 GMT' }, 3_600_000],
  [{ expires: '0', date: 'Fri, 27 Nov 2026 11:00:00 GMT' }, 60_000],
])('an answer with %j is fresh for %i ms', (headers, ms) => {
  expect(freshnessOf(new Headers(headers), 0)).toBe(ms);
});
