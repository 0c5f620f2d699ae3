import { noMeter, rpc, traced, type LeaveMatchReply, type LeaveMatchRequest } from '@muster/contracts';
import { Controller } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace';
import { createServer, type AddressInfo } from 'node:net';
import 'reflect-metadata';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LOG, METER } from '../core/injection.js';
import { createLog } from '../core/logging.js';
import { activeSpan } from '../core/active-span.js';
import { traceSettings } from '../core/trace-settings.js';
import { RecordedTraces } from '../traces/recorded-traces.js';
import { RpcMethod } from './rpc-status.js';
import { aProcess } from './rpc-process.fixture.js';
import { grpcWire } from './rpc-wire.js';
import { tracedWire } from './traced-wire.js';

const seen: (string | undefined)[] = [];

@Controller()
class Peer {
  @RpcMethod(rpc.allocator, 'LeaveMatch')
  async leaveMatch(): Promise<unknown> {
    await Promise.resolve();
    seen.push(activeSpan()?.traceId);
    return { outcome: 'left' };
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

describe('a traced wire', () => {
  it('carries the trace of a call to the handler at the peer, and begins none', async () => {
    const exporter = new InMemorySpanExporter();
    const traces = new RecordedTraces(
      'test',
      '',
      traceSettings.parse({}),
      new SimpleSpanProcessor({ exporter }),
    );
    const wire = tracedWire(grpcWire(aProcess({ traces })), traces);
    const port = await freePort();
    const providers = [
      { provide: LOG, useValue: createLog('test', 'silent') },
      { provide: METER, useValue: noMeter },
    ];
    const app = await NestFactory.createMicroservice<MicroserviceOptions>(
      { module: PeerModule, controllers: [Peer], providers },
      { ...(wire.serve(rpc.allocator, '127.0.0.1', port) as MicroserviceOptions), logger: false },
    );
    await app.listen();
    onTestFinished(() => app.close());
    const client = wire.connect(rpc.allocator, `ipv4:127.0.0.1:${port}`);
    onTestFinished(() => client.close());
    const leave = () =>
      client.call<LeaveMatchRequest, LeaveMatchReply>(
        'leaveMatch',
        { matchId: 'mat_12345678', ticketId: 'tkt_12345678' },
        5_000,
      );

    await leave();
    expect([seen.splice(0), exporter.getFinishedSpans()]).toEqual([[undefined], []]);
    await traced(traces, 'call', { parent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01 x=1` }, leave);
    expect(seen).toEqual(['a'.repeat(32)]);
    const [server, calling, call] = exporter.getFinishedSpans();
    expect(server?.parentSpanContext?.spanId).toBe(calling?.spanContext().spanId);
    expect(calling?.parentSpanContext?.spanId).toBe(call?.spanContext().spanId);
    expect(server?.spanContext().traceState?.serialize()).toBe('x=1');
    expect([server?.kind, calling?.kind]).toEqual([1, 2]);
  });
});
