import type { AllocationRequest, ProviderAnswer, ReleaseAnswer, ServerProvider } from '@muster/domain';
import type { ListedServer } from '../hosting-file.js';

/**
 * Servers of a file. Each registers by itself under the id of the file. A request names one that fits and is not
 * registered: it is expected to come, and its registration claims the allocation.
 */
export class StaticFleet implements ServerProvider {
  constructor(
    private readonly servers: readonly ListedServer[],
    /** Which of these servers are registered or expected already. */
    private readonly taken: (serverIds: readonly string[]) => Promise<readonly string[]>,
  ) {}

  async ask({ build, region }: AllocationRequest): Promise<ProviderAnswer> {
    const fitting = this.servers.filter(
      (server) => server.build === build && (region === null || server.region === region),
    );
    const taken = new Set(await this.taken(fitting.map(({ serverId }) => serverId)));
    const free = fitting.find(({ serverId }) => !taken.has(serverId));
    if (free) return { state: 'allocated', serverId: free.serverId, host: free.host, port: free.port };
    const where = region === null ? '' : ` in ${region}`;
    return {
      state: 'unavailable',
      error:
        fitting.length === 0
          ? `the fleet file lists no server of build ${build}${where}`
          : `each of the ${fitting.length} listed servers of build ${build}${where} is registered or expected already`,
      retryAfterMs: null,
    };
  }

  poll(request: AllocationRequest): Promise<ProviderAnswer> {
    return this.ask(request);
  }

  /** Nobody has to be told: the server belongs to the file. */
  async release(): Promise<ReleaseAnswer> {
    return { state: 'released' };
  }
}
