import { Client, credentials, Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { noMeter, rpc, rpcMostBytes, type LeaveMatchRequest, type Meter } from '@muster/contracts';
import { Controller } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import fc from 'fast-check';
import 'reflect-metadata';
import { connect } from 'node:http2';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LOG, METER } from '../core/injection.js';
import { createLog } from '../core/logging.js';
import { RpcMethod } from './rpc-status.js';
import { aCoordinatorKey, aProcess } from './rpc-process.fixture.js';
import { RpcTokens } from './rpc-tokens.js';
import { RpcUnavailable } from './rpc.js';
import { grpcWire, type RpcSettings } from './rpc-wire.js';

const [matchId, ticketId] = ['mat_12345678', 'tkt_12345678'];
const keys = [aCoordinatorKey(), aCoordinatorKey()] as const;
const [first, second] = keys;
/** A request to leave a match, as bytes. */
const question = Buffer.from([10, 12, ...Buffer.from(matchId), 18, 12, ...Buffer.from(ticketId)]);
/** Other tests use the processors too. */
const slow = { timeout: 30_000 };

/** What the method received, and what it waits for. */
let received: LeaveMatchRequest[];
let gate: Promise<void>;
let open: () => void;
let counted: unknown[];
const meter: Meter = { ...noMeter, count: (_, labels) => void counted.push(labels) };

@Controller()
class Peer {
  @RpcMethod(rpc.allocator, 'LeaveMatch')
  async leaveMatch(request: LeaveMatchRequest): Promise<unknown> {
    received.push(request);
    await gate;
    return { outcome: 'left' };
  }

  @RpcMethod(rpc.allocator, 'CountSlots')
  async countSlots(): Promise<unknown> {
    return { known: true };
  }
}

class PeerModule {}

const ends: (() => unknown)[] = [];
beforeEach(() => {
  received = [];
  counted = [];
  gate = Promise.resolve();
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts the allocator. @returns its address */
async function serve(settings: Partial<RpcSettings> = {}): Promise<string> {
  const wire = grpcWire(
    aProcess({ name: 'allocator', settings: { COORDINATOR_KEY: first, ...settings }, meter }),
  );
  const port = await freePort();
  const providers = [
    { provide: LOG, useValue: createLog('test', 'silent') },
    { provide: METER, useValue: meter },
  ];
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(
    { module: PeerModule, controllers: [Peer], providers },
    { ...(wire.serve(rpc.allocator, '127.0.0.1', port) as MicroserviceOptions), logger: false },
  );
  await app.listen();
  ends.unshift(() => app.close());
  return `127.0.0.1:${port}`;
}

/** An outsider's client, which sends any bytes to any path. @returns the status and the text of the answer */
function outsider(
  address: string,
): (method: string, given?: string | null, body?: Buffer) => Promise<[status, string]> {
  const client = new Client(address, credentials.createInsecure());
  ends.unshift(() => client.close());
  return (method, given = null, body = Buffer.alloc(0)) =>
    new Promise((resolve) => {
      const metadata = new Metadata();
      if (given !== null) metadata.set('authorization', given);
      const path = method.startsWith('/') ? method : `/muster.allocator.v1.AllocatorService/${method}`;
      const same = (bytes: Buffer): Buffer => bytes;
      client.makeUnaryRequest(path, same, same, body, metadata, (error: ServiceError | null) =>
        resolve(error ? [error.code, error.details] : [status.OK, '']),
      );
    });
}

const call = (address: string, name: string, COORDINATOR_KEY: string, method = 'leaveMatch') => {
  const client = grpcWire(aProcess({ name, settings: { COORDINATOR_KEY } })).connect(
    rpc.allocator,
    `ipv4:${address}`,
  );
  ends.unshift(() => client.close());
  return client.call<object, object>(method, { matchId, ticketId }, 30_000);
};

const bearer = (name: string, key: string = first): string => `Bearer ${new RpcTokens(key).of(name)}`;

describe('an outsider who reaches the port', () => {
  it('is refused by the headers alone: no method sees the call, and its message is not read', async () => {
    const ask = outsider(await serve());
    const tokens = [
      null,
      '',
      'Bearer',
      'Bearer ',
      'Bearer queue',
      'Bearer queue.',
      bearer('queue', second),
      bearer('queue').replace('queue', 'rating'),
      bearer('queue').slice(0, -1),
      `${bearer('queue')}A`,
      bearer('queue').toLowerCase(),
      bearer('queue').replace('Bearer', 'Basic'),
      `Bearer __proto__.${'A'.repeat(43)}`,
      `Bearer constructor.${'A'.repeat(43)}`,
      `Bearer queue.${'A'.repeat(20_000)}`,
    ];
    for (const token of tokens)
      for (const body of [Buffer.alloc(0), Buffer.alloc(3 * rpcMostBytes, 0xff)])
        expect([token, (await ask('LeaveMatch', token, body))[0]]).toEqual([token, status.UNAUTHENTICATED]);
    expect(received).toEqual([]);
    expect(new Set(counted.map((labels) => JSON.stringify(labels)))).toEqual(
      new Set([JSON.stringify({ method: 'AllocatorService.LeaveMatch', status: 'UNAUTHENTICATED' })]),
    );
  });

  it('learns no methods: there is no reflection, and no channelz', async () => {
    const ask = outsider(await serve());
    for (const path of [
      '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
      '/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo',
      '/grpc.channelz.v1.Channelz/GetServers',
      '/grpc.health.v1.Health/Check',
      '/muster.allocator.v1.AllocatorService/Nothing',
      '/',
    ])
      expect((await ask(path))[0]).toBe(status.UNIMPLEMENTED);
    expect(await ask('CountSlots')).toEqual([
      status.UNAUTHENTICATED,
      'The call has no valid token. Services make it of COORDINATOR_KEY, which must be the same for all.',
    ]);
  });

  it('holds a bounded number of calls on a connection, and harms no other', async () => {
    const address = await serve();
    const session = connect(`http://${address}`);
    ends.unshift(() => session.destroy());
    await new Promise((resolve) => session.once('remoteSettings', resolve));
    expect(session.remoteSettings.maxConcurrentStreams).toBe(1_000);
    for (let i = 0; i < 2_000; i++)
      session
        .request(
          {
            ':method': 'POST',
            ':path': '/muster.allocator.v1.AllocatorService/LeaveMatch',
            'content-type': 'application/grpc',
          },
          // Its message never ends.
          { endStream: false },
        )
        .on('error', () => undefined);
    expect(await call(address, 'queue', first)).toMatchObject({ outcome: 'left' });
  });
});

describe('a caller', () => {
  it('is a service with the same key, also while the key changes', async () => {
    const during = await serve({ COORDINATOR_KEY: `${first}\n${second}` });
    const after = await serve({ COORDINATOR_KEY: `${second} ${first}` });
    for (const address of [during, after])
      for (const key of [first, second, `${first} ${second}`, `${second}\n${first}`])
        expect(await call(address, 'queue', key)).toMatchObject({ outcome: 'left' });
    await expect(call(during, 'queue', aCoordinatorKey())).rejects.toBeInstanceOf(RpcUnavailable);
  });

  it('that is not the queue reads, and changes nothing', async () => {
    const ask = outsider(await serve());
    for (const name of ['assignment', 'rating', 'a-balancer']) {
      expect(await ask('CountSlots', bearer(name))).toEqual([status.OK, '']);
      expect((await ask('LeaveMatch', bearer(name)))[0]).toBe(status.PERMISSION_DENIED);
    }
    expect(received).toEqual([]);
  });

  it('may be of 0.2.0, without a token, where the setting allows it; a wrong token is refused all the same', async () => {
    const ask = outsider(await serve({ GRPC_TOKENS: 'optional' }));
    expect(await ask('LeaveMatch', null, question)).toEqual([status.OK, '']);
    expect((await ask('LeaveMatch', bearer('queue', second), question))[0]).toBe(status.UNAUTHENTICATED);
  });

  it('with another key is told so by its readiness, and works again once the key is the same', async () => {
    const address = await serve();
    const wrong = grpcWire(aProcess({ settings: { COORDINATOR_KEY: second } })).connect(
      rpc.allocator,
      `ipv4:${address}`,
    );
    ends.unshift(() => wrong.close());
    await wrong.reachable(30_000);
    await expect(wrong.call('countSlots', {}, 30_000)).rejects.toThrow('COORDINATOR_KEY');
    await expect(wrong.reachable(30_000)).rejects.toThrow('refuses our calls');
  });
});

describe('many calls at once', () => {
  it('are refused beyond a number in progress, and not late; then there is room again', async () => {
    const ask = outsider(await serve());
    gate = new Promise((resolve) => (open = resolve));
    const answers: status[] = [];
    const all = Array.from({ length: 3_000 }, () =>
      ask('LeaveMatch', bearer('queue'), question).then(([code]) => answers.push(code)),
    );
    await expect.poll(() => answers.length, slow).toBe(3_000 - 256);
    expect(new Set(answers)).toEqual(new Set([status.RESOURCE_EXHAUSTED]));
    expect(received).toHaveLength(256);
    // Another method has room of its own.
    expect(await ask('CountSlots', bearer('queue'))).toEqual([status.OK, '']);
    open();
    await Promise.all(all);
    expect(answers.filter((code) => code === status.OK)).toHaveLength(256);
    expect(await ask('LeaveMatch', bearer('queue'), question)).toEqual([status.OK, '']);
  });

  it('leave room when their callers go away, or send what cannot be read', async () => {
    const address = await serve();
    gate = new Promise((resolve) => (open = resolve));
    const room = async (count: number): Promise<void> => {
      const session = connect(`http://${address}`);
      session.on('error', () => undefined);
      for (let i = 0; i < 256; i++) {
        const request = session.request({
          ':method': 'POST',
          ':path': '/muster.allocator.v1.AllocatorService/LeaveMatch',
          'content-type': 'application/grpc',
          authorization: bearer('queue'),
        });
        request.on('error', () => undefined);
        request.end(Buffer.concat([Buffer.from([0, 0, 0, 0, question.length]), question]));
      }
      await expect.poll(() => received.length, slow).toBe(count);
      session.destroy();
    };
    await room(256);
    // The server notices the end of a connection a moment later.
    const ask = outsider(address);
    const cannotRead = Buffer.alloc(20, 0xff);
    const isRoom = async (): Promise<boolean> =>
      (await ask('LeaveMatch', bearer('queue'), cannotRead))[0] === status.INTERNAL;
    await expect.poll(isRoom, slow).toBe(true);
    await room(512);
    await expect.poll(isRoom, slow).toBe(true);
    for (let i = 0; i < 300; i++) expect(await isRoom()).toBe(true);
    expect((await ask('LeaveMatch', bearer('queue'), Buffer.alloc(rpcMostBytes + 1)))[0]).toBe(
      status.RESOURCE_EXHAUSTED,
    );
    open();
    expect(await ask('LeaveMatch', bearer('queue'), question)).toEqual([status.OK, '']);
  });
});

describe('a token', () => {
  it('names its caller, and is genuine for no other name, key or text', () => {
    const tokens = new RpcTokens(first, ['queue']);
    const names = fc.stringMatching(/^[a-z][a-z0-9-]{0,39}$/);
    fc.assert(
      fc.property(names, names, fc.string(), (name, other, text) => {
        const token = tokens.of(name);
        expect(tokens.callerOf(token)).toBe(name);
        expect(new RpcTokens(second).callerOf(token)).toBeNull();
        if (other !== name) expect(tokens.callerOf(token.replace(name, other))).toBeNull();
        expect(tokens.callerOf(text)).toBeNull();
        expect(tokens.callerOf(`${token}${text}`)).toBe(text === '' ? name : null);
      }),
      { numRuns: 200 },
    );
  });

  it('is refused to a name that is none', () => {
    for (const name of ['', 'Queue', '__proto__', 'a.b', '-a', 'a'.repeat(41)])
      expect(() => new RpcTokens(first).of(name)).toThrow('no name of a caller');
  });
});
