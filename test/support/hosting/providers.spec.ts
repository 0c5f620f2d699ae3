import { conformanceRequest, serverProviderConformance } from '@muster/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AgonesGrpcAllocator } from '../../../apps/allocator/src/hosting/agones-grpc.client.js';
import { AgonesProvider } from '../../../apps/allocator/src/hosting/agones-provider.js';
import { AgonesRestAllocator } from '../../../apps/allocator/src/hosting/agones-rest.client.js';
import { HttpCaller } from '../../../apps/allocator/src/hosting/http-call.client.js';
import { AgonesCluster } from './agones-cluster.js';
import { serveGrpc, serveRest } from './agones-servers.js';
import { makeCertificates } from '../certificates.js';
import { agonesRig, rigTimeoutMs, selection, staticRig, webhookRig } from './rigs.js';

const certificates = makeCertificates();

describe('C18 game servers of Agones, over gRPC', () =>
  serverProviderConformance(() => agonesRig('grpc', certificates)));
describe('C18 game servers of Agones, over REST', () =>
  serverProviderConformance(() => agonesRig('rest', certificates)));
describe('C18 an endpoint of a hoster', () => serverProviderConformance(() => webhookRig()));
describe('C18 an endpoint that names servers later', () => serverProviderConformance(() => webhookRig(2)));
describe('C18 a fleet file', () => serverProviderConformance(async () => staticRig()));

describe('the allocator service of Agones', () => {
  it.each(['grpc', 'rest'] as const)('selects by %s what is preferred, then what is required', async (by) => {
    const rig = await agonesRig(by, certificates);
    onTestFinished(rig.close);
    rig.cluster.add(1, { 'agones.dev/fleet': 'arena', build: '1.4.2', region: 'eu', tier: 'fast' });
    const first = await rig.provider.ask(conformanceRequest());
    expect(first.state).toBe('allocated');
    expect(rig.cluster.allocated.map(({ labels }) => labels.tier)).toEqual(['fast']);
    expect(rig.cluster.allocated[0]?.annotations).toMatchObject({
      'muster-allocation': conformanceRequest().id,
      'muster-build': '1.4.2',
      'muster-region': 'eu',
    });
    // Of another build, region or namespace there is none.
    const other = `alc_${'1'.repeat(32)}`;
    for (const wanted of [{ build: '2.0.0' }, { region: 'asia' }])
      expect(await rig.provider.ask({ ...conformanceRequest(other), ...wanted })).toMatchObject({
        state: 'unavailable',
        error: 'no game server with its labels is ready',
      });
  });

  it('is not asked for a build that cannot be a label', async () => {
    const rig = await agonesRig('grpc', certificates);
    onTestFinished(rig.close);
    expect(await rig.provider.ask({ ...conformanceRequest(), build: '1.4.2+7' })).toEqual({
      state: 'failed',
      error: expect.stringContaining('“1.4.2+7” cannot be the label build'),
    });
    expect(rig.cluster.requests).toBe(0);
  });

  it.each(['grpc', 'rest'] as const)('refuses the certificate of a stranger, by %s', async (by) => {
    const cluster = new AgonesCluster();
    cluster.add(1, { 'agones.dev/fleet': 'arena', build: '1.4.2', region: 'eu' });
    const running = await (by === 'grpc' ? serveGrpc : serveRest)(cluster, certificates);
    const ending = new AbortController();
    onTestFinished(async () => {
      ending.abort();
      await running.close();
    });
    const { ca, stranger } = certificates;
    const allocator =
      by === 'grpc'
        ? new AgonesGrpcAllocator(running.address, { ca, ...stranger }, rigTimeoutMs, ending.signal)
        : new AgonesRestAllocator(
            running.address,
            new HttpCaller(rigTimeoutMs, ending.signal, { ca, ...stranger }),
          );
    expect(await new AgonesProvider(allocator, selection).ask(conformanceRequest())).toMatchObject({
      state: 'unavailable',
    });
    expect(cluster.requests).toBe(0);
  });
});

describe('the other side of these tests', () => {
  it('finds fields that the published definition does not have', () => {
    const cluster = new AgonesCluster();
    for (const request of [
      { namespace: 'default', gameServerSelector: {} },
      { namespace: 'default', gameServerSelectors: [{}], requiredGameServerSelector: {} },
      { namespace: 'default', metadata: { labels: { id: 'ends with -' } } },
      {},
    ])
      expect(cluster.allocate(request).outcome).toBe('invalid');
    expect(cluster.invalid).toHaveLength(4);
  });
});
