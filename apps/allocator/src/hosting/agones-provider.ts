import type { AllocationRequest, ProviderAnswer, ReleaseAnswer, ServerProvider } from '@muster/domain';
import {
  agonesAnswer,
  agonesRelease,
  agonesReleased,
  agonesRequest,
  type AgonesReply,
  type AgonesRequest,
  type AgonesSelection,
} from './agones.js';

/** Calls `AllocationService/Allocate`, over gRPC or as JSON. It does not throw. */
export interface AgonesAllocator {
  allocate(request: AgonesRequest): Promise<AgonesReply>;
}

/** Takes game servers from the fleets of an Agones cluster, through its allocator service. */
export class AgonesProvider implements ServerProvider {
  constructor(
    private readonly allocator: AgonesAllocator,
    private readonly selection: AgonesSelection,
  ) {}

  async ask(request: AllocationRequest): Promise<ProviderAnswer> {
    let body: AgonesRequest;
    try {
      body = agonesRequest(this.selection, request);
    } catch (error) {
      return { state: 'failed', error: error instanceof Error ? error.message : String(error) };
    }
    return agonesAnswer(this.selection, await this.allocator.allocate(body));
  }

  poll(request: AllocationRequest): Promise<ProviderAnswer> {
    return this.ask(request);
  }

  async release(request: AllocationRequest): Promise<ReleaseAnswer> {
    return agonesReleased(await this.allocator.allocate(agonesRelease(this.selection, request)));
  }
}
