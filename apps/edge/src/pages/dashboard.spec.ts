import type { Problem } from '@muster/contracts';
import type { FastifyInstance } from 'fastify';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openOrigin } from '../origin.js';
import { originSettings } from '../settings.js';

const html = '<script src="/dashboard/assets/index-aaaaaaaa.js" nonce="__NONCE__"></script><p>pages</p>';
const script = `console.log(${JSON.stringify('x'.repeat(2_000))});`;
const folders: string[] = [];
const origins: FastifyInstance[] = [];
let built = '';
let unbuilt = '';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'muster-dashboard-'));
  folders.push(made);
  return made;
}

async function open(dashboard: string): Promise<string> {
  const settings = originSettings.parse({ LOG_LEVEL: 'silent' });
  const options = { name: 'edge', version: '0', logTo: process.stdout, forceCloseConnections: true } as const;
  const origin = await openOrigin(settings, options, dashboard);
  origins.push(origin);
  await origin.listen({ port: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${(origin.server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  const parent = folder();
  const pages = join(parent, 'dashboard');
  mkdirSync(join(pages, 'assets'), { recursive: true });
  writeFileSync(join(parent, 'secret.js'), 'secret');
  writeFileSync(join(pages, 'index.html'), html);
  writeFileSync(join(pages, 'secret.js'), 'secret');
  const asset = join(pages, 'assets/index-aaaaaaaa.js');
  writeFileSync(asset, script);
  writeFileSync(`${asset}.br`, brotliCompressSync(script));
  writeFileSync(`${asset}.gz`, gzipSync(script));
  writeFileSync(join(pages, 'assets/icon-bbbbbbbb.svg'), '<svg/>');
  writeFileSync(join(pages, 'assets/notes.txt'), 'secret');
  built = await open(pages);
  unbuilt = await open(join(parent, 'none'));
});
afterAll(async () => {
  await Promise.all(origins.map((origin) => origin.close()));
  for (const each of folders) rmSync(each, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends a path as it is written; `fetch` would resolve its dots. */
async function get(
  url: string,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const sent = request({ hostname, port, path, method, headers, agent: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) };
}

const problemOf = ({ body }: Answer): Problem => JSON.parse(body.toString()) as Problem;

describe('the page', () => {
  it.each([
    '/dashboard',
    '/dashboard/',
    '/dashboard/?to=queue',
    '/dashboard/queues/5v5',
    // An id may look like the name of a file.
    '/dashboard/fleet/eu.one',
    '/dashboard/players/a%2Fb',
  ])('is answered at %s', async (path) => {
    const { status, headers, body } = await get(built, path);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body.toString()).toContain('<p>pages</p>');
  });

  it('has a policy with a nonce of its own each time, and is not kept', async () => {
    const [one, two] = [await get(built, '/dashboard'), await get(built, '/dashboard')];
    const nonces = [one, two].map(({ headers, body }) => {
      const [, nonce = ''] = /'nonce-([\w-]{22})'/.exec(String(headers['content-security-policy'])) ?? [];
      expect(body.toString()).toContain(`nonce="${nonce}"`);
      return nonce;
    });
    expect(new Set(nonces).size).toBe(2);
    expect(one.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonces[0]}'; img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  });

  it('is where / leads', async () => {
    expect((await get(built, '/')).headers.location).toBe('/dashboard');
  });

  it('answers HEAD without a body', async () => {
    const { status, headers, body } = await get(built, '/dashboard/queues', {}, 'HEAD');
    expect([status, headers['content-type'], body.length]).toEqual([200, 'text/html; charset=utf-8', 0]);
  });
});

describe('an asset', () => {
  const path = '/dashboard/assets/index-aaaaaaaa.js';

  it.each([
    ['br', 'gzip, deflate, br', brotliDecompressSync],
    ['gzip', 'gzip;q=0.5, br;q=0', gunzipSync],
    [undefined, 'identity', (body: Buffer) => body],
    [undefined, '', (body: Buffer) => body],
  ])('is compressed as the browser can read it: %s of "%s"', async (encoding, accepted, read) => {
    const answer = await get(built, path, { 'accept-encoding': accepted });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(read(answer.body).toString()).toBe(script);
    expect(answer.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
    });
  });

  it('is sent as it is where the build has not compressed it, and with its size to HEAD', async () => {
    const small = await get(built, '/dashboard/assets/icon-bbbbbbbb.svg', { 'accept-encoding': 'br' });
    expect([small.headers['content-type'], small.body.toString()]).toEqual(['image/svg+xml', '<svg/>']);
    const head = await get(built, path, {}, 'HEAD');
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([
      200,
      String(script.length),
      0,
    ]);
  });

  it.each([
    ['of no build', '/dashboard/assets/index-cccccccc.js'],
    ['of another type', '/dashboard/assets/notes.txt'],
    ['already compressed', '/dashboard/assets/index-aaaaaaaa.js.br'],
    ['above the folder', '/dashboard/assets/../secret.js'],
    ['above it, encoded', '/dashboard/assets/%2e%2e%2fsecret.js'],
    ['above it, encoded twice', '/dashboard/assets/%252e%252e%252fsecret.js'],
    ['far above it', '/dashboard/assets/..%2f..%2fsecret.js'],
    ['with a backslash', '/dashboard/assets/..%5csecret.js'],
    ['with a zero byte', '/dashboard/assets/index-aaaaaaaa.js%00'],
    ['from the root', '/dashboard/assets//etc/passwd'],
    ['below a file', '/dashboard/assets/index-aaaaaaaa.js/index-aaaaaaaa.js'],
    ['with a long name', `/dashboard/assets/${'a'.repeat(8_000)}.js`],
  ])('that is not there is a problem: %s', async (_title, wrong) => {
    const answer = await get(built, wrong);
    expect([answer.status, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
      404,
      'application/problem+json; charset=utf-8',
      'no-store',
    ]);
    expect(problemOf(answer)).toMatchObject({ type: 'urn:muster:problem:not-found' });
  });

  it('with a path that cannot be read is refused', async () => {
    expect((await get(built, '/dashboard/assets/%zz')).status).toBe(400);
    expect((await get(built, `/dashboard/${'a'.repeat(20_000)}`)).status).toBe(431);
  });
});

describe('without a build', () => {
  it('says how to get one, and / leads to the documentation', async () => {
    const answer = await get(unbuilt, '/dashboard/queues');
    expect(answer.status).toBe(404);
    expect(problemOf(answer).detail).toContain('npm run build');
    expect((await get(unbuilt, '/dashboard/assets/index-aaaaaaaa.js')).status).toBe(404);
    expect((await get(unbuilt, '/')).headers.location).toBe('/docs');
  });
});
