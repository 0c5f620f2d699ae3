import {
  Server,
  ServerCredentials,
  loadPackageDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { rpc } from '@muster/contracts';
import { afterEach, expect, it } from 'vitest';
import { grpcServer, protoPath, RpcClient, RpcUnavailable } from './rpc.js';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

type Answer = (error: null, reply: object) => void;

/** A replica of rating that answers or is stopped. @returns its port */
async function replica(getRatings: (answer: Answer) => void, server = new Server()): Promise<number> {
  const loaded: unknown = loadPackageDefinition(
    loadSync(protoPath(rpc.rating.proto), { keepCase: false, longs: Number }),
  );
  let found = loaded;
  for (const part of [...rpc.rating.package.split('.'), rpc.rating.service, 'service'])
    found = Reflect.get(found as object, part);
  const implementation: UntypedServiceImplementation = {
    getRatings: (_: unknown, answer: Answer) => getRatings(answer),
  };
  server.addService(found as Parameters<Server['addService']>[0], implementation);
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  ends.push(() => server.forceShutdown());
  return port;
}

function clientOf(...ports: number[]): RpcClient {
  const client = new RpcClient(rpc.rating, `ipv4:${ports.map((port) => `127.0.0.1:${port}`).join(',')}`);
  ends.push(() => client.close());
  return client;
}

const callOnce = (client: RpcClient, deadlineMs: number): Promise<{ startMu: number }> =>
  client.call('getRatings', { pool: 'p', playerIds: [] }, deadlineMs);

it('calls another replica if one of two is stopped', async () => {
  const sound = await replica((answer) => answer(null, { ratings: [], startMu: 25, startSigma: 8 }));
  const stopped = await replica(() => undefined);
  const client = clientOf(stopped, sound);
  // Until both are connected, only the first is used.
  await callOnce(client, 500).catch(() => undefined);
  for (let i = 0; i < 4; i++) expect(await callOnce(client, 1_000)).toMatchObject({ startMu: 25 });
});

it('stops calling an unresponsive replica', async () => {
  let asked = 0;
  const sound = await replica((answer) => answer(null, { ratings: [], startMu: 25, startSigma: 8 }));
  const stopped = await replica(() => void asked++);
  const client = clientOf(stopped, sound);
  for (let quiet = 0; quiet < 8;) {
    const before = asked;
    await Promise.all(Array.from({ length: 4 }, () => callOnce(client, 500).catch(() => undefined)));
    quiet = asked === before ? quiet + 1 : 0;
  }
  expect(await callOnce(client, 500)).toMatchObject({ startMu: 25 });
});

it('reports that the service is unavailable if all are stopped', async () => {
  const client = clientOf(await replica(() => undefined), await replica(() => undefined));
  await expect(callOnce(client, 300)).rejects.toBeInstanceOf(RpcUnavailable);
});

it('reports that the service is unavailable if it stops while it is asked', async () => {
  const server = new Server();
  const client = clientOf(await replica(() => server.forceShutdown(), server));
  const answer = callOnce(client, 2_000).catch((error: unknown) => error);
  expect(await answer).toBeInstanceOf(RpcUnavailable);
});

it('listens on addresses of IPv6, and ends old connections so that callers find new replicas', () => {
  const { options } = grpcServer(rpc.rating, '::', 50_051);
  expect(options.url).toBe('[::]:50051');
  expect(grpcServer(rpc.rating, '0.0.0.0', 50_051).options.url).toBe('0.0.0.0:50051');
  expect(options.channelOptions?.['grpc.max_connection_age_ms']).toBeLessThanOrEqual(60_000);
});
