import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { HttpCaller, retryAfterMs } from '../../../apps/allocator/src/hosting/http-call.client.js';
import { signatureOf } from '../../../apps/allocator/src/hosting/webhook.client.js';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(listener: RequestListener): Promise<URL> {
  server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/a`);
}

const caller = (ending = new AbortController()): HttpCaller => new HttpCaller(5_000, ending.signal);

describe('a call to a provider', () => {
  it('follows no redirect, so that credentials reach no other address', async () => {
    const asked: string[] = [];
    const url = await serve((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(302, { location: '/b' }).end();
    });
    expect(await caller().call({ method: 'POST', url, body: '{}' })).toMatchObject({ status: 302 });
    expect(asked).toEqual(['/a']);
  });

  it('refuses an endless answer', async () => {
    const url = await serve((_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    });
    await expect(caller().call({ method: 'GET', url })).rejects.toThrow('longer than 1048576 bytes');
  });

  it('ends with the service, and does not begin after it', async () => {
    const ending = new AbortController();
    const url = await serve(() => ending.abort());
    const each = caller(ending);
    await expect(each.call({ method: 'GET', url })).rejects.toThrow(/hang up|ECONNRESET/);
    await expect(each.call({ method: 'GET', url })).rejects.toThrow('the service stops');
  });

  it('fails when the answer breaks off', async () => {
    const url = await serve((request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"state"', () => request.socket.destroy());
    });
    await expect(caller().call({ method: 'GET', url })).rejects.toThrow(/aborted|hang up|ECONNRESET/);
  });
});

describe('Retry-After', () => {
  it('is in seconds or a date; anything else is ignored', () => {
    const now = Date.UTC(2026, 0, 15, 12);
    expect(retryAfterMs('7', now)).toBe(7_000);
    expect(retryAfterMs('Thu, 15 Jan 2026 12:00:09 GMT', now)).toBe(9_000);
    expect(retryAfterMs('Thu, 15 Jan 2026 11:00:00 GMT', now)).toBe(0);
    expect(retryAfterMs('soon', now)).toBeNull();
    expect(retryAfterMs(undefined, now)).toBeNull();
  });
});

describe('the signature of a request', () => {
  it('is the one of docs/hosting.md, and differs with the time, method, path and body', () => {
    const signed = signatureOf('key', 1, 'POST', '/a?b=c', '{}');
    // echo -n '1.POST./a?b=c.{}' | openssl dgst -sha256 -hmac key
    expect(signed).toBe('t=1,v1=f868a249beabc7d77fbb1b8a8dfe8ba4bcf84290a2fcc92d0682efb84937b2a3');
    const others = [
      signatureOf('other', 1, 'POST', '/a?b=c', '{}'),
      signatureOf('key', 2, 'POST', '/a?b=c', '{}'),
      signatureOf('key', 1, 'GET', '/a?b=c', '{}'),
      signatureOf('key', 1, 'POST', '/a', '{}'),
      signatureOf('key', 1, 'POST', '/a?b=c', '{ }'),
    ];
    expect(new Set([signed, ...others].map((each) => each.split('v1=')[1])).size).toBe(6);
  });
});
