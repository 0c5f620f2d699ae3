import { status } from '@grpc/grpc-js';
import {
  rpc,
  type LeaveMatchReply,
  type LeaveMatchRequest,
  type ListBuildsReply,
  type ListBuildsRequest,
} from '@muster/contracts';
import { UnknownPool, Unsolvable } from '@muster/domain';
import { Controller } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import 'reflect-metadata';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LOG, METER } from '../core/injection.js';
import { createLog } from '../core/logging.js';
import { Metrics } from '../metrics/metrics.js';
import { InProcessWire } from './rpc-in-process.js';
import { RpcMethod } from './rpc-status.js';
import { RpcNotFound, RpcUnavailable, type RpcCaller } from './rpc.js';
import { aProcess } from './rpc-process.fixture.js';
import { grpcWire, type RpcWire } from './rpc-wire.js';

const [matchId, ticketId] = ['mat_12345678', 'tkt_12345678'];

type Handler = (request: LeaveMatchRequest) => unknown;

/** The handler of the current test, and the requests that it received. */
let handler: Handler;
let received: LeaveMatchRequest[];
/** What the service counts. */
let metrics: Metrics;

@Controller()
class Peer {
  @RpcMethod(rpc.allocator, 'LeaveMatch')
  async leaveMatch(request: LeaveMatchRequest): Promise<unknown> {
    received.push(structuredClone(request));
    return handler(request);
  }

  @RpcMethod(rpc.allocator, 'ListBuilds')
  async listBuilds({ limit }: ListBuildsRequest): Promise<ListBuildsReply> {
    return { builds: [String(limit)], startsNone: false };
  }
}

class PeerModule {}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const wires: Readonly<Record<string, () => RpcWire>> = {
  'gRPC between processes': () => grpcWire(aProcess()),
  'calls within a process': () => new InProcessWire(),
};

describe.each(Object.keys(wires))('%s', (name) => {
  const ends: (() => unknown)[] = [];
  let client: RpcCaller;
  let stopServer: () => Promise<void>;

  beforeEach(async () => {
    received = [];
    const wire = wires[name]?.() ?? new InProcessWire();
    const port = await freePort();
    const options = wire.serve(rpc.allocator, '127.0.0.1', port) as MicroserviceOptions;
    const log = { provide: LOG, useValue: createLog('test', 'silent') };
    metrics = new Metrics(performance, () => undefined);
    const providers = [log, { provide: METER, useValue: metrics }];
    const module = { module: PeerModule, controllers: [Peer], providers };
    const app = await NestFactory.createMicroservice<MicroserviceOptions>(module, {
      ...options,
      logger: false,
    });
    await app.listen();
    stopServer = () => app.close();
    client = wire.connect(rpc.allocator, `ipv4:127.0.0.1:${port}`);
    ends.push(
      () => client.close(),
      () => app.close(),
    );
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  const leave = (request: object = { matchId, ticketId }): Promise<LeaveMatchReply> =>
    client.call<object, LeaveMatchReply>('leaveMatch', request, 5_000);
  const failure = (): Promise<unknown> => leave().catch((error: unknown) => error);

  it('fills absent fields of both messages with defaults, and drops unknown ones', async () => {
    handler = () => ({ outcome: 'left', strange: true });
    expect(await leave({ matchId, ticketId, other: 1 })).toEqual({
      outcome: 'left',
      waitMs: 0,
      ticketIds: [],
      reason: '',
      messages: '',
    });
    expect(received).toEqual([{ matchId, ticketId }]);
    expect(await client.call('listBuilds', {}, 5_000)).toEqual({ builds: ['0'], startsNone: false });
  });

  it('carries 64-bit integers as numbers', async () => {
    handler = () => ({ waitMs: 2 ** 40 });
    expect((await leave()).waitMs).toBe(2 ** 40);
    handler = () => ({ waitMs: -1 });
    expect((await leave()).waitMs).toBe(-1);
  });

  it('shares no object between the sides', async () => {
    const ticketIds = ['a'];
    handler = (request) => {
      Object.assign(request, { matchId: 'changed by the handler' });
      return { ticketIds };
    };
    const request = { matchId, ticketId };
    const asked = leave(request);
    request.ticketId = 'changed by the caller';
    const reply = await asked;
    (reply.ticketIds as string[]).push('changed by the caller');
    expect(request.matchId).toBe(matchId);
    expect(received).toEqual([{ matchId, ticketId }]);
    expect(ticketIds).toEqual(['a']);
  });

  it('starts the handler after the caller goes on', async () => {
    handler = () => ({});
    const asked = leave();
    expect(received).toEqual([]);
    await asked;
    expect(received).toHaveLength(1);
  });

  it('reports the status of an error that the caller can act on', async () => {
    handler = () => {
      throw new UnknownPool('There is no such pool.');
    };
    expect(await failure()).toEqual(new RpcNotFound('There is no such pool.'));
    handler = () => {
      throw new Unsolvable('A match has an id.');
    };
    expect(await failure()).toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: 'A match has an id.',
      message: '3 INVALID_ARGUMENT: A match has an id.',
    });
  });

  it('reports an unavailable store as UNAVAILABLE', async () => {
    handler = () => {
      throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    };
    expect(await failure()).toBeInstanceOf(RpcUnavailable);
  });

  it('reports other errors as UNKNOWN, without their text', async () => {
    handler = () => {
      throw new TypeError('secret');
    };
    expect(await failure()).toMatchObject({
      code: status.UNKNOWN,
      message: '2 UNKNOWN: The service failed; see its log.',
    });
  });

  it('reports UNIMPLEMENTED for a call without a handler', async () => {
    await expect(client.call('countSlots', {}, 5_000)).rejects.toMatchObject({
      code: status.UNIMPLEMENTED,
    });
    await expect(client.call('nothing', {}, 5_000)).rejects.toThrow('there is no call nothing');
  });

  it('counts what it answers by method and status', async () => {
    handler = () => ({});
    await leave();
    await leave();
    handler = () => {
      throw new UnknownPool('There is no such pool.');
    };
    await failure();
    const text = await metrics.text();
    const figure = 'muster_grpc_server_calls_total{method="AllocatorService.LeaveMatch"';
    expect(text).toContain(`${figure},status="OK"} 2`);
    expect(text).toContain(`${figure},status="NOT_FOUND"} 1`);
    expect(text).toContain(
      'muster_grpc_server_call_duration_seconds_count{method="AllocatorService.LeaveMatch"} 3',
    );
  });

  it('refuses a request beyond the limits of its call before the method sees it, without repeating it', async () => {
    handler = () => ({});
    for (const id of ['__proto__', '', `mat_${'x'.repeat(100_000)}`, 'mat_1234567\0', '\u001b[31mmat'])
      expect(await leave({ matchId: id, ticketId }).catch((error: unknown) => error)).toMatchObject({
        code: status.INVALID_ARGUMENT,
        details: expect.stringMatching(/^`matchId`: must be an id that the coordinator made[^\0]{0,120}$/),
      });
    expect(received).toEqual([]);
  });

  it('gives up at the deadline', async () => {
    handler = () => new Promise(() => undefined);
    await expect(client.call('leaveMatch', { matchId, ticketId }, 200)).rejects.toBeInstanceOf(
      RpcUnavailable,
    );
  });

  it('is reachable while the server runs', async () => {
    handler = () => ({});
    await expect(client.reachable(5_000)).resolves.toBeUndefined();
    await leave();
    await stopServer();
    await expect(client.call('leaveMatch', { matchId, ticketId }, 500)).rejects.toBeInstanceOf(
      RpcUnavailable,
    );
  });
});
