import type { Problem } from '@muster/contracts';
import fastify, { type FastifyInstance } from 'fastify';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectionOptions, guardRequest } from './http-server.js';

let app: FastifyInstance;
let port: number;

beforeAll(async () => {
  app = fastify({
    ...connectionOptions({ requestMs: 400, keepAliveMs: 5_000 }),
    forceCloseConnections: true,
  });
  app.addHook('onRequest', guardRequest);
  app.get('/here', () => ({ here: true }));
  app.get('/slow', async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    return { slow: true };
  });
  app.post('/here', ({ body }) => ({ body }));
  await app.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = app.server.address() as AddressInfo);
});
afterAll(() => app.close());

interface Heard {
  readonly status: number;
  readonly type: string | undefined;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Sends the text, then stays silent, and reads until the server closes the connection. */
function say(text: string): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let said = '';
    if (text) socket.write(text);
    socket.on('data', (data) => (said += data.toString()));
    socket.on('error', reject);
    socket.on('close', () => {
      const [head = '', body = ''] = said.split('\r\n\r\n');
      const [first = '', ...lines] = head.split('\r\n');
      const headers = new Map(
        lines.map((line) => [
          line.slice(0, line.indexOf(':')).toLowerCase(),
          line.slice(line.indexOf(':') + 2),
        ]),
      );
      resolve({ status: Number(first.split(' ')[1]), type: headers.get('content-type'), headers, body });
    });
  });
}

const head = 'Host: here\r\nConnection: close\r\n';

describe('a connection', () => {
  it.each([
    ['sends nothing', ''],
    ['sends half a header', 'GET /here HTTP/1.1\r\nHost: he'],
    [
      'sends half a body',
      `POST /here HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a`,
    ],
  ])('that %s is answered 408 as a problem document and closed', async (_, text) => {
    const { status, type, body } = await say(text);
    expect(status).toBe(408);
    expect(type).toBe('application/problem+json');
    expect((JSON.parse(body) as Problem).type).toBe('urn:muster:problem:request-timeout');
  });

  it('whose request is complete may wait for its answer for longer', async () => {
    const { status, body } = await say(`GET /slow HTTP/1.1\r\n${head}\r\n`);
    expect([status, body]).toEqual([200, '{"slow":true}']);
  });
});

describe('an invalid request', () => {
  it.each([
    [
      'with a header of 20 KiB',
      431,
      'headers-too-large',
      `GET /here HTTP/1.1\r\n${head}x: ${'x'.repeat(20_000)}\r\n\r\n`,
    ],
    [
      'with 101 header fields',
      431,
      'headers-too-large',
      `GET /here HTTP/1.1\r\n${head}${'a: b\r\n'.repeat(99)}\r\n`,
    ],
    [
      'with 65 parameters',
      400,
      'invalid-request',
      `GET /here?${Array(65).fill('a=b').join('&')} HTTP/1.1\r\n${head}\r\n`,
    ],
    ['in another language', 400, 'invalid-request', 'HELO there\r\n\r\n'],
    [
      'with a target that is a whole URL',
      400,
      'invalid-request',
      `GET http://here/here HTTP/1.1\r\n${head}\r\n`,
    ],
    ['with the target *', 400, 'invalid-request', `OPTIONS * HTTP/1.1\r\n${head}\r\n`],
  ])('%s is answered %i as a problem document', async (_, status, code, text) => {
    const heard = await say(text);
    expect(heard.status).toBe(status);
    expect(heard.type).toMatch(/^application\/problem\+json/);
    expect((JSON.parse(heard.body) as Problem).type).toBe(`urn:muster:problem:${code}`);
  });
});

it('a request with as many header fields and parameters as may be is answered', async () => {
  const query = Array(64).fill('a=b').join('&');
  const { status } = await say(`GET /here?${query} HTTP/1.1\r\n${head}${'a: b\r\n'.repeat(98)}\r\n`);
  expect(status).toBe(200);
});

describe('an answer', () => {
  it.each([
    ['of a call', `GET /here HTTP/1.1\r\n${head}\r\n`],
    ['of an unknown path', `GET /nowhere HTTP/1.1\r\n${head}\r\n`],
    ['to an invalid request', 'HELO there\r\n\r\n'],
  ])('%s is not cached and not sniffed', async (_, text) => {
    const { headers } = await say(text);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});
