import type { ServerProvider } from '@muster/domain';
import type { ProviderRig } from '@muster/testing';
import { AgonesGrpcAllocator } from '../../../apps/allocator/src/hosting/agones-grpc.client.js';
import { AgonesProvider } from '../../../apps/allocator/src/hosting/agones-provider.js';
import { AgonesRestAllocator } from '../../../apps/allocator/src/hosting/agones-rest.client.js';
import type { AgonesSelection } from '../../../apps/allocator/src/hosting/agones.js';
import { HttpCaller } from '../../../apps/allocator/src/hosting/http-call.client.js';
import { StaticFleet } from '../../../apps/allocator/src/hosting/static-fleet.js';
import { WebhookProvider } from '../../../apps/allocator/src/hosting/webhook.client.js';
import { AgonesCluster } from './agones-cluster.js';
import { serveGrpc, serveRest } from './agones-servers.js';
import type { Certificates } from '../certificates.js';
import { WebhookEndpoint } from './webhook-endpoint.js';

/** The time limit of the rigs' requests. */
export const rigTimeoutMs = 600;

export const selection: AgonesSelection = {
  namespace: 'default',
  labels: { 'agones.dev/fleet': 'arena', build: '{build}', region: '{region}' },
  preferred: [{ tier: 'fast' }],
  scheduling: 'Packed',
};

/** A provider over a real socket, and the cluster behind it. */
export async function agonesRig(
  by: 'grpc' | 'rest',
  certificates: Certificates,
): Promise<ProviderRig & { readonly cluster: AgonesCluster }> {
  const cluster = new AgonesCluster();
  for (const region of ['eu', 'us']) cluster.add(5, { 'agones.dev/fleet': 'arena', build: '1.4.2', region });
  const running = await (by === 'grpc' ? serveGrpc : serveRest)(cluster, certificates);
  const ending = new AbortController();
  const { ca, client } = certificates;
  const allocator =
    by === 'grpc'
      ? new AgonesGrpcAllocator(running.address, { ca, ...client }, rigTimeoutMs, ending.signal)
      : new AgonesRestAllocator(
          running.address,
          new HttpCaller(rigTimeoutMs, ending.signal, { ca, ...client }),
        );
  return {
    cluster,
    provider: new AgonesProvider(allocator, selection),
    held: () => cluster.allocated.map(({ labels }) => labels['muster-allocation'] ?? ''),
    invalid: () => cluster.invalid,
    plan: (...faults) => cluster.faults.plan(...faults),
    exhaust: () => cluster.gameServers.clear(),
    shutDownReleased: () => {
      for (const each of cluster.allocated) if (each.labels['muster-released']) cluster.shutDown(each);
    },
    retryAfterMs: by === 'grpc' ? null : 3_000,
    close: async () => {
      ending.abort();
      await running.close();
    },
  };
}

/** A provider over a real socket, and the endpoint behind it. */
export async function webhookRig(
  pendingPolls = 0,
): Promise<ProviderRig & { readonly endpoint: WebhookEndpoint }> {
  const [secret, token] = ['signing secret', 'hoster token'];
  const endpoint = await WebhookEndpoint.start(secret, token);
  endpoint.pendingPolls = pendingPolls;
  const ending = new AbortController();
  return {
    endpoint,
    provider: new WebhookProvider(
      { url: endpoint.url, secret, token, list: true, realm: 'default' },
      new HttpCaller(rigTimeoutMs, ending.signal),
    ),
    held: () => [...endpoint.held.keys()],
    invalid: () => [
      ...endpoint.invalid,
      ...[...endpoint.started].filter(([, times]) => times > 1).map(([id]) => `${id} was started twice`),
    ],
    plan: (...faults) => endpoint.faults.plan(...faults),
    exhaust: () => {
      endpoint.capacity = 0;
    },
    shutDownReleased: () => undefined,
    retryAfterMs: 3_000,
    close: async () => {
      ending.abort();
      await endpoint.close();
    },
  };
}

/** A fleet file, and the rows that the coordinator keeps of it. */
export function staticRig(): ProviderRig {
  const servers = Array.from({ length: 6 }, (_, i) => ({
    serverId: `rack-${7_000 + i}`,
    host: '203.0.113.8',
    port: 7_000 + i,
    build: '1.4.2',
    region: i < 4 ? 'eu' : 'us',
    slots: 1,
  }));
  const expected = new Map<string, string>();
  let listed = servers;
  const fleet = (): ServerProvider => new StaticFleet(listed, async () => [...expected.values()]);
  return {
    provider: {
      // The coordinator asks once for an id, because the answer is stored with it.
      ask: async (request) => {
        const known = servers.find(({ serverId }) => serverId === expected.get(request.id));
        if (known) return { state: 'allocated', ...known };
        const answer = await fleet().ask(request);
        if (answer.state === 'allocated') expected.set(request.id, answer.serverId ?? '');
        return answer;
      },
      poll: (request) => fleet().poll(request),
      release: (request) => {
        expected.delete(request.id);
        return fleet().release(request);
      },
    },
    held: () => [...expected.keys()],
    invalid: () => [],
    exhaust: () => {
      listed = [];
    },
    shutDownReleased: () => undefined,
    retryAfterMs: null,
    close: () => Promise.resolve(),
  };
}
