import { status } from '@grpc/grpc-js';
import { rpc, type LeaveMatchReply, type LeaveMatchRequest } from '@muster/contracts';
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
import { grpcWire, type RpcWire } from './rpc-wire.js';

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
  'gRPC between processes': () => grpcWire,
  'calls within a process': () => new InProcessWire(),
};

describe.each(Object.keys(wires))('%s', (name) => {
  const ends: (() => unknown)[] = [];
  let client: RpcCaller;
  let stopServer: () => Promise<void>;

  beforeEach(async () => {
    received = [];
    const wire = wires[name]?.() ?? grpcWire;
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

  const leave = (request: object = { matchId: 'm', ticketId: 't' }): Promise<LeaveMatchReply> =>
    client.call<object, LeaveMatchReply>('leaveMatch', request, 5_000);
  const failure = (): Promise<unknown> => leave().catch((error: unknown) => error);

  it('fills absent fields of both messages with defaults, and drops unknown ones', async () => {
    handler = () => ({ outcome: 'left', strange: true });
    expect(await leave({ matchId: 'm', other: 1 })).toEqual({
      outcome: 'left',
      waitMs: 0,
      ticketIds: [],
      reason: '',
      messages: '',
    });
    expect(received).toEqual([{ matchId: 'm', ticketId: '' }]);
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
    const request = { matchId: 'm', ticketId: 't' };
    const asked = leave(request);
    request.ticketId = 'changed by the caller';
    const reply = await asked;
    (reply.ticketIds as string[]).push('changed by the caller');
    expect(request.matchId).toBe('m');
    expect(received).toEqual([{ matchId: 'm', ticketId: 't' }]);
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
    await expect(client.call('listBuilds', { limit: 1 }, 5_000)).rejects.toMatchObject({
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

  it('gives up at the deadline', async () => {
    handler = () => new Promise(() => undefined);
    await expect(client.call('leaveMatch', {}, 200)).rejects.toBeInstanceOf(RpcUnavailable);
  });

  it('is reachable while the server runs', async () => {
    handler = () => ({});
    await expect(client.reachable(5_000)).resolves.toBeUndefined();
    await leave();
    await stopServer();
    await expect(client.call('leaveMatch', {}, 500)).rejects.toBeInstanceOf(RpcUnavailable);
  });
});
