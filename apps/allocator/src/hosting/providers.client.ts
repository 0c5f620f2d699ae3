import type { AgonesSettings, HostingSettings, WebhookProviderSettings } from '../hosting-file.js';
import { AgonesGrpcAllocator } from './agones-grpc.client.js';
import { AgonesProvider } from './agones-provider.js';
import { AgonesRestAllocator } from './agones-rest.client.js';
import type { NamedProvider } from './hosting.js';
import { HttpCaller } from './http-call.client.js';
import { StaticFleet } from './static-fleet.js';
import { WebhookProvider } from './webhook.client.js';

/** What providers need of their surroundings. */
export interface Surroundings {
  readonly realm: string;
  /** Aborts requests when the service stops. */
  readonly ending: AbortSignal;
  /** Which servers are registered or expected. */
  readonly takenServers: (serverIds: readonly string[]) => Promise<readonly string[]>;
}

/** The providers of the settings. */
export function openProviders({ providers }: HostingSettings, around: Surroundings): NamedProvider[] {
  return [...providers].map(([name, settings]) => {
    const { slots, maxPending, claimSeconds, timeoutMs, concurrency } = settings;
    const provider =
      settings.kind === 'agones'
        ? agones(settings, around)
        : settings.kind === 'webhook'
          ? webhook(settings, around)
          : new StaticFleet(settings.servers, around.takenServers);
    return { name, provider, slots, maxPending, claimMs: claimSeconds * 1000, timeoutMs, concurrency };
  });
}

function agones(settings: AgonesSettings, { ending }: Surroundings): AgonesProvider {
  const { grpc, rest, ca, cert, key, serverName, timeoutMs } = settings;
  const allocator =
    rest === undefined
      ? new AgonesGrpcAllocator(grpc ?? '', { ca, cert, key, serverName }, timeoutMs, ending)
      : new AgonesRestAllocator(
          rest,
          new HttpCaller(timeoutMs, ending, { ca, cert, key, servername: serverName }),
        );
  return new AgonesProvider(allocator, settings);
}

function webhook(
  { url, token, secret, list, timeoutMs }: WebhookProviderSettings,
  { realm, ending }: Surroundings,
): WebhookProvider {
  return new WebhookProvider({ url, token, secret, list, realm }, new HttpCaller(timeoutMs, ending));
}
