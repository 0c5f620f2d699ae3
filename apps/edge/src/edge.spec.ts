import type { Problem } from '@muster/contracts';
import type { FastifyInstance } from 'fastify';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { createEdge, drainEdge } from './edge.js';
import { readEdgeSettings } from './settings.js';

const program = fileURLToPath(new URL('../test-support/upstream.mjs', import.meta.url));

let edge: FastifyInstance | undefined;
let origin = '';
const logged: string[] = [];
const children: ChildProcess[] = [];
const agent = new Agent({ keepAlive: false });

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await edge?.close();
  edge = undefined;
  logged.length = 0;
});

/** A replica of every service, in its own process. */
async function replica(name: string): Promise<{ url: string; process: ChildProcess }> {
  const child = spawn(process.execPath, [program, name], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: `http://127.0.0.1:${port.toString().trim()}`, process: child };
}

/** An edge before replicas with a short probe time-out and a long answer time-out. */
async function edgeBefore(urls: readonly string[], env: Record<string, string> = {}): Promise<void> {
  const EDGE_UPSTREAMS = JSON.stringify({ queue: urls, assignment: urls, allocator: urls, rating: urls });
  const quick = {
    EDGE_PROBE_MS: '100',
    EDGE_SILENT_MS: '400',
    EDGE_ANSWER_MS: '600000',
    EDGE_CONNECT_MS: '60000',
    // The streams of these replicas stay silent.
    EDGE_STREAM_SILENCE_MS: '600000',
  };
  edge = await createEdge(readEdgeSettings({ EDGE_UPSTREAMS, ...quick, ...env }), '0', {
    write: (line) => void logged.push(line),
  });
  await edge.listen({ port: 0, host: '127.0.0.1' });
  origin = `http://127.0.0.1:${(edge.server.address() as AddressInfo).port}`;
}

interface Answer {
  readonly status: number;
  readonly said: {
    replica?: string;
    key?: string;
    hop?: string;
    from?: string;
    open?: number;
    large?: number;
  } & Partial<Problem>;
}

function call(method: string, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${origin}${path}`, { method, agent, headers }, (response) => {
      let text = '';
      response.on('data', (data: Buffer) => (text += data.toString()));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, said: JSON.parse(text) as Answer['said'] }),
      );
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(method === 'POST' ? '{}' : undefined);
  });
}

const json = { 'content-type': 'application/json' };
const queueUp = (headers: Record<string, string> = {}): Promise<Answer> =>
  call('POST', '/v1/tickets', { ...json, ...headers });

/** Opens waiting calls, and resolves once all are sent. @returns hangs up all of them */
async function hold(paths: readonly string[], headers: Record<string, string> = {}): Promise<() => void> {
  const open = paths.map((path) => {
    const sent = request(`${origin}${path}`, { agent, headers });
    sent.on('error', () => undefined);
    sent.end();
    return sent;
  });
  await Promise.all(open.map((sent) => once(sent, 'finish')));
  return () => {
    for (const sent of open) sent.destroy();
  };
}

/** Resolves once the replica holds this number of waiting calls. */
async function opened(count: number): Promise<void> {
  await expect.poll(async () => (await queueUp()).said.open, { timeout: 30_000 }).toBe(count);
}

describe('waiting calls', () => {
  it('take no connections from short calls: 1,024 streams of one player, and 600 long polls of servers', async () => {
    const only = await replica('a');
    await edgeBefore([only.url]);
    const paths = [
      ...Array.from({ length: 1_024 }, () => '/v1/tickets/tkt_one/events'),
      ...Array.from({ length: 600 }, (_, i) => `/v1/servers/s${i}/commands?waitSeconds=30`),
    ];
    // At most the accept queue of a socket: the test is about open calls, not about opening them.
    const batch = 256;
    const hangUps: (() => void)[] = [];
    for (let at = 0; at < paths.length; at += batch) {
      hangUps.push(await hold(paths.slice(at, at + batch)));
      await opened(Math.min(at + batch, paths.length));
    }
    const short = [
      ...Array.from({ length: 20 }, () => queueUp()),
      ...Array.from({ length: 20 }, (_, i) => call('POST', `/v1/servers/s${i}/heartbeat`, json)),
      call('GET', '/v1/me/ticket'),
    ];
    expect(new Set((await Promise.all(short)).map(({ status }) => status))).toEqual(new Set([200]));
    await opened(paths.length);
    for (const hangUp of hangUps) hangUp();
  });

  it('are rejected with a message at the limit', async () => {
    const only = await replica('a');
    await edgeBefore([only.url], { EDGE_OPEN_CALLS: '3' });
    const hangUp = await hold(Array.from({ length: 3 }, () => '/v1/tickets/tkt_one/events'));
    await expect.poll(async () => (await call('GET', '/v1/servers/s/commands')).status).toBe(503);
    expect((await queueUp()).status).toBe(200);
    hangUp();
  });
});

describe('a dead replica', () => {
  it('fails no call: the other replica answers 40 POSTs around its kill -9', async () => {
    const [a, b] = [await replica('a'), await replica('b')];
    // No probe detects it first.
    await edgeBefore([a.url, b.url], { EDGE_PROBE_MS: '60000' });
    for (let i = 0; i < 4; i++) await queueUp();
    const before = Array.from({ length: 20 }, () => queueUp());
    a.process.kill('SIGKILL');
    const after = Array.from({ length: 20 }, () => queueUp());
    const answers = await Promise.all([...before, ...after]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect((await queueUp()).said.replica).toBe('b');
  });

  it('may have executed the call: only an idempotent one goes to the next', async () => {
    const [a, b] = [await replica('a'), await replica('b')];
    await edgeBefore([a.url, b.url]);
    for (let i = 0; i < 4; i++) {
      const safe = await queueUp({ 'x-reset': 'a' });
      expect([safe.status, safe.said.replica]).toEqual([200, 'b']);
      // The client sent none; without one the repeat might have conflicted with its own ticket.
      expect(safe.said.key).toMatch(/^edge-/);
      expect((await queueUp({ 'x-reset': 'a', 'idempotency-key': 'mine' })).said.key).toBe('mine');
    }
    const unsafe = [];
    for (let i = 0; i < 4; i++) unsafe.push(await call('POST', '/v1/parties', { ...json, 'x-reset': 'a' }));
    const refused = unsafe.filter(({ status }) => status === 502);
    expect(refused.length).toBeGreaterThan(1);
    for (const { said } of refused) expect(said.detail).toMatch(/may have taken effect/);
    // One line at once for all of them; their count follows.
    expect(logged.filter((line) => line.includes('no replica of queue answered'))).toHaveLength(1);
  });

  it('makes /health/ready of the edge fail, if it was the last', async () => {
    const [a, b] = [await replica('a'), await replica('b')];
    await edgeBefore([a.url, b.url]);
    expect((await call('GET', '/health/ready')).status).toBe(200);
    a.process.kill('SIGKILL');
    await expect
      .poll(async () => JSON.stringify((await call('GET', '/health/ready')).said))
      .toContain('ok (1 ready, 1 away)');
    b.process.kill('SIGKILL');
    await expect.poll(async () => (await call('GET', '/health/ready')).status).toBe(503);
    const { status, said } = await queueUp();
    expect([status, said.type]).toEqual([502, 'urn:muster:problem:service-unreachable']);
  });
});

describe('a replica that is not ready', () => {
  it('makes the edge unready, which says which service it is, and still gets calls if it is the only one', async () => {
    const [a, b] = [await replica('a'), await replica('b')];
    const [one, other] = [[a.url], [b.url]];
    const EDGE_UPSTREAMS = JSON.stringify({ queue: one, assignment: other, allocator: other, rating: other });
    await edgeBefore([], { EDGE_UPSTREAMS });
    expect((await call('GET', '/health/ready')).status).toBe(200);
    b.process.kill('SIGUSR2');
    // The replica of three services is probed once for each.
    await expect
      .poll(() => call('GET', '/health/ready'))
      .toEqual({
        status: 503,
        said: {
          status: 'not ready',
          checks: {
            queue: 'ok (1 ready)',
            assignment: '1 unready',
            allocator: '1 unready',
            rating: '1 unready',
          },
        },
      });
    expect((await call('GET', '/health/live')).status).toBe(200);
    expect((await call('GET', '/v1/pools')).said.replica).toBe('b');
  });
});

describe('a frozen replica', () => {
  it('gets no calls while it is silent, and again when it answers', async () => {
    const [a, b] = [await replica('a'), await replica('b')];
    await edgeBefore([a.url, b.url]);
    a.process.kill('SIGSTOP');
    const answers = await Promise.all(Array.from({ length: 20 }, () => queueUp()));
    expect(new Set(answers.map(({ status, said }) => `${status} ${said.replica}`))).toEqual(
      new Set(['200 b']),
    );
    for (let i = 0; i < 4; i++) expect((await queueUp()).said.replica).toBe('b');
    a.process.kill('SIGCONT');
    await expect.poll(async () => (await queueUp()).said.replica).toBe('a');
  });

  it('still gets calls if it is the only one', async () => {
    const only = await replica('a');
    await edgeBefore([only.url]);
    only.process.kill('SIGSTOP');
    const waiting = queueUp();
    await expect.poll(async () => (await call('GET', '/health/ready')).status).toBe(503);
    only.process.kill('SIGCONT');
    expect((await waiting).said.replica).toBe('a');
  });
});

describe('a slow replica', () => {
  it('is waited for by a call that creates a ticket: the player would not know of a ticket that came later', async () => {
    const only = await replica('a');
    await edgeBefore([only.url], { EDGE_ANSWER_MS: '300' });
    // The time limits of undici are checked twice a second.
    const slow = { 'x-slow': '2500' };
    const [ticket, party] = await Promise.all([
      queueUp(slow),
      call('POST', '/v1/parties', { ...json, ...slow }),
    ]);
    expect([ticket.status, party.status]).toEqual([200, 502]);
  });

  it('gets no more new tickets than it answers in time, and every other call', async () => {
    const only = await replica('a');
    await edgeBefore([only.url]);
    const created = { 'x-status': '201', 'x-slow': '150' };
    // Ten at a time are answered after 150 ms each: that is a standing queue.
    for (let i = 0; i < 6; i++) await Promise.all(Array.from({ length: 10 }, () => queueUp(created)));
    const crowd = await Promise.all(Array.from({ length: 40 }, () => queueUp(created)));
    const refused = crowd.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(20);
    for (const { said } of refused) {
      expect(said.type).toBe('urn:muster:problem:too-busy');
      expect(said['retryAfterSeconds']).toBeGreaterThanOrEqual(1);
    }
    const others = Array.from({ length: 40 }, (_, i) => call('POST', `/v1/servers/s${i}/heartbeat`, json));
    expect((await Promise.all(others)).filter(({ status }) => status !== 200)).toEqual([]);
  });
});

describe('the edge itself', () => {
  it('says where a call comes from: what a proxy says, and nothing that a client says', async () => {
    const only = await replica('a');
    const from = { 'x-forwarded-for': '198.51.100.1, 203.0.113.4' };
    await edgeBefore([only.url]);
    expect((await queueUp(from)).said.from).toBe('198.51.100.1, 203.0.113.4, 127.0.0.1');
    await edge?.close();
    await edgeBefore([only.url], { TRUSTED_PROXIES: '10.0.0.0/8' });
    expect((await queueUp(from)).said.from).toBe('127.0.0.1');
  });

  it('limits the streams of an address, which is that of players behind a proxy', async () => {
    const only = await replica('a');
    await edgeBefore([only.url], { EDGE_OPEN_CALLS_PER_ADDRESS: '3' });
    const stream = '/v1/tickets/tkt_one/events';
    const from = { 'x-forwarded-for': '203.0.113.4' };
    const hangUp = await hold(
      Array.from({ length: 3 }, () => stream),
      from,
    );
    await opened(3);
    expect((await call('GET', stream, from)).said.type).toBe('urn:muster:problem:too-many-open');
    const others = await hold([stream, stream], { 'x-forwarded-for': '203.0.113.5' });
    await opened(5);
    hangUp();
    others();
  });

  it('does not forward hop-by-hop headers', async () => {
    const only = await replica('a');
    await edgeBefore([only.url]);
    expect((await queueUp({ 'x-hop': 'yes' })).said.hop).toBe('yes');
    expect((await queueUp({ 'x-hop': 'yes', connection: 'close, X-Hop' })).said.hop).toBeUndefined();
  });

  it('closes a long poll at its replica when the client hangs up', async () => {
    const only = await replica('a');
    await edgeBefore([only.url]);
    const hangUp = await hold(['/v1/servers/s/commands']);
    await expect.poll(async () => (await queueUp()).said.open).toBe(1);
    hangUp();
    await expect.poll(async () => (await queueUp()).said.open).toBe(0);
  });

  it('passes a large answer on whole to a client that reads slowly', async () => {
    const only = await replica('a');
    await edgeBefore([only.url]);
    const sent = request(`${origin}/v1/matches/export`, { agent }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    let received = 0;
    for await (const chunk of response) {
      received += (chunk as Buffer).length;
      // A reader slower than the replica, in the beginning.
      if (received < 1e6) await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(received).toBe(256 * 65_536);
  });

  it('closes waiting calls that are pipelined behind another when their connection closes', async () => {
    const only = await replica('a');
    await edgeBefore([only.url]);
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: m\r\n\r\n`;
    socket.write(get('/v1/servers/s/commands') + get('/v1/tickets/t/events').repeat(20));
    await expect.poll(async () => (await queueUp()).said.open).toBe(21);
    socket.destroy();
    await expect.poll(async () => (await queueUp()).said.open).toBe(0);
  });

  it('keeps its connections to services from clients that read nothing, and cuts those off', async () => {
    const only = await replica('a');
    await edgeBefore([only.url], { REQUEST_TIMEOUT_MS: '1000' });
    const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: m\r\n\r\n`;
    const idle = Array.from({ length: 6 }, () => connect(Number(new URL(origin).port), '127.0.0.1').pause());
    const closed = idle.map((socket) => once(socket, 'close'));
    // Answers that are behind one of 16 MiB are not read either; each is larger than what the edge reads at once.
    for (const socket of idle)
      socket.on('error', () => undefined).write(get('/v1/matches/export') + get('/v1/queues').repeat(100));
    await expect.poll(async () => (await queueUp()).said.large).toBe(600);
    expect((await queueUp()).status).toBe(200);
    for (const socket of idle) socket.resume();
    await Promise.all(closed);
    expect((await queueUp()).status).toBe(200);
  });

  it('breaks off an answer that its replica broke off, and answers the next call', async () => {
    const only = await replica('a');
    await edgeBefore([only.url]);
    const sent = request(`${origin}/v1/matches/export`, { agent, headers: { 'x-half': 'yes' } }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    await expect(once(response.resume(), 'end')).rejects.toThrow(/aborted/);
    expect((await queueUp()).status).toBe(200);
  });

  it('reports draining before it refuses calls', async () => {
    const only = await replica('a');
    await edgeBefore([only.url]);
    const drained = drainEdge(edge as FastifyInstance, 500);
    expect((await call('GET', '/health/ready')).said).toMatchObject({ status: 'draining' });
    expect((await queueUp()).status).toBe(200);
    await drained;
  });

  it('answers a slow body, a large header and a whole URL as problem documents', async () => {
    const only = await replica('a');
    await edgeBefore([only.url], { REQUEST_TIMEOUT_MS: '300' });
    const say = async (text: string): Promise<string> => {
      const socket = connect(Number(new URL(origin).port), '127.0.0.1');
      let said = '';
      socket.on('data', (data) => (said += data.toString()));
      socket.write(text);
      await once(socket, 'close');
      return said;
    };
    const slow =
      'POST /v1/tickets HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\n{';
    expect(await say(slow)).toMatch(/^HTTP\/1.1 408 [\s\S]*problem\+json[\s\S]*request-timeout/);
    const large = `GET / HTTP/1.1\r\nHost: x\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`;
    expect(await say(large)).toMatch(/^HTTP\/1.1 431 [\s\S]*problem\+json[\s\S]*headers-too-large/);
    const whole = 'GET http://elsewhere/v1/queues HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    expect(await say(whole)).toMatch(/^HTTP\/1.1 400 [\s\S]*problem\+json[\s\S]*invalid-request/);
  });

  it('lets /docs load resources of its own origin only', async () => {
    const only = await replica('a');
    await edgeBefore([only.url]);
    const page = await fetch(`${origin}/docs/`);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("script-src 'self'");
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    const html = await page.text();
    // Inline scripts would be blocked.
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>/);
    for (const [, source = ''] of html.matchAll(/(?:src|href)="([^"#]+)"/g)) {
      const loaded = await fetch(new URL(source, page.url));
      expect([source, loaded.status, new URL(loaded.url).origin]).toEqual([source, 200, origin]);
    }
  });
});
