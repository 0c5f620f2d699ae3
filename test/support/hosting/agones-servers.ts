import {
  Server as GrpcServer,
  ServerCredentials,
  status,
  type sendUnaryData,
  type ServerUnaryCall,
  type UntypedHandleCall,
} from '@grpc/grpc-js';
import { loadSync, type MethodDefinition } from '@grpc/proto-loader';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { AgonesCluster, Allocated, GameServerOfCluster } from './agones-cluster.js';
import type { Certificates } from '../certificates.js';

/** A running allocator service. */
export interface RunningAllocator {
  /** `host:port`, or the origin. */
  readonly address: string;
  close(): Promise<void>;
}

/** A fault of `slow` answers after this time, which is longer than the time limit of the tests' providers. */
export const slowMs = 1_000;

const nobody = 'there is no available GameServer to allocate';

const responseOf = ({ name, address, port, labels, annotations }: GameServerOfCluster): object => ({
  gameServerName: name,
  address,
  ports: [{ name: 'default', port }],
  nodeName: 'node-1',
  source: 'local',
  metadata: { labels, annotations },
});

type Method = MethodDefinition<object, object>;

function methodOf(definition: object): Method {
  const method: unknown = Reflect.get(definition, 'Allocate');
  if (typeof method !== 'object' || method === null || !('requestDeserialize' in method))
    throw new Error('the definition has no method Allocate');
  return method as Method;
}

/** Serves the allocator of a cluster by gRPC with mutual TLS, as the published service does. */
export async function serveGrpc(
  cluster: AgonesCluster,
  { ca, server: own }: Certificates,
): Promise<RunningAllocator> {
  const options = { keepCase: true, enums: String, defaults: false, arrays: false };
  const definition = loadSync(join('test/support/hosting/agones-allocation.proto'), options)[
    'allocation.AllocationService'
  ];
  if (!definition) throw new Error('the definition has no AllocationService');
  const method = methodOf(definition);
  const server = new GrpcServer();
  const sessions = new Set<{ destroy(): void }>();
  const Allocate = (call: ServerUnaryCall<Buffer, object>, done: sendUnaryData<object>): void => {
    const read = method.requestDeserialize(call.request);
    // A field that the definition does not have is dropped, and the message is shorter without it.
    if (method.requestSerialize(read).length !== call.request.length)
      cluster.invalid.push('the request has a field that is not in the definition');
    const fault = cluster.faults.next();
    if (fault === 'error') return done({ code: status.INTERNAL, details: 'boom' });
    if (fault === 'busy') return done({ code: status.ABORTED, details: 'too many concurrent requests' });
    if (fault === 'garbage') return done(null, {});
    if (fault === 'slow') {
      const answer = (): void => done({ code: status.UNAVAILABLE, details: 'late' });
      return void setTimeout(answer, slowMs).unref();
    }
    const said = cluster.allocate(read);
    if (fault === 'lose') return;
    if (fault === 'cut') return done({ code: status.UNAVAILABLE, details: 'Connection dropped' });
    if (said.outcome === 'allocated') return done(null, responseOf(said.gameServer));
    if (said.outcome === 'none') return done({ code: status.RESOURCE_EXHAUSTED, details: nobody });
    done({ code: status.INVALID_ARGUMENT, details: 'invalid' });
  };
  // Read here, so that fields that the definition does not have are seen.
  const raw = { ...method, requestDeserialize: (bytes: Buffer) => bytes };
  server.addService({ Allocate: raw }, { Allocate: Allocate as UntypedHandleCall });
  const credentials = ServerCredentials.createSsl(
    Buffer.from(ca),
    [{ cert_chain: Buffer.from(own.cert), private_key: Buffer.from(own.key) }],
    true,
  );
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', credentials, (error, bound) => (error ? reject(error) : resolve(bound))),
  );
  return {
    address: `127.0.0.1:${port}`,
    close: async () => {
      for (const session of sessions) session.destroy();
      server.forceShutdown();
    },
  };
}

/** Serves the allocator of a cluster as JSON over HTTPS with mutual TLS, as its gateway does. */
export async function serveRest(
  cluster: AgonesCluster,
  { ca, server: own }: Certificates,
): Promise<RunningAllocator> {
  const server: Server = createServer(
    { ca, cert: own.cert, key: own.key, requestCert: true, rejectUnauthorized: true },
    (request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        const reply = (code: number, value: unknown, headers = {}): void => {
          response
            .writeHead(code, { 'content-type': 'application/json', ...headers })
            .end(typeof value === 'string' ? value : JSON.stringify(value));
        };
        if (request.method !== 'POST' || request.url !== '/gameserverallocation')
          cluster.invalid.push(`${request.method} ${request.url} is no call of the service`);
        if (request.headers['content-type'] !== 'application/json')
          cluster.invalid.push(`the type of the body is ${request.headers['content-type']}`);
        const fault = cluster.faults.next();
        if (fault === 'error') return reply(500, { code: 13, message: 'boom', details: [] });
        if (fault === 'busy') return reply(429, 'slow down', { 'retry-after': '3' });
        if (fault === 'garbage') return reply(200, '<html>');
        if (fault === 'slow') return void setTimeout(() => reply(503, 'late'), slowMs).unref();
        const said: Allocated = cluster.allocate(parsed(body));
        if (fault === 'lose') return;
        if (fault === 'cut') return void request.socket.destroy();
        if (said.outcome === 'allocated') return reply(200, responseOf(said.gameServer));
        if (said.outcome === 'none') return reply(429, { code: 8, message: nobody, details: [] });
        reply(400, { code: 3, message: 'invalid', details: [] });
      });
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `https://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
