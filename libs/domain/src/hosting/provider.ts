/** A server that a provider is asked for. Every request about it carries the id. */
export interface AllocationRequest {
  /** `alc_` and 32 hexadecimal digits: also a valid value of a Kubernetes label. */
  readonly id: string;
  readonly build: string;
  /** Null: any region. */
  readonly region: string | null;
  /** Why a server is needed, for people. */
  readonly reason: string;
}

/** The server that a provider allocated. */
export interface AllocatedServer {
  /** The id under which it registers, where the provider decides that; else null. */
  readonly serverId: string | null;
  readonly host: string | null;
  readonly port: number | null;
}

/** The provider did not answer, or cannot say yet: the same request is repeated with the same id. */
export interface Unavailable {
  readonly state: 'unavailable';
  readonly error: string;
  /** What the provider asked for (`Retry-After`), in milliseconds, for all requests to it; null if nothing. */
  readonly retryAfterMs: number | null;
}

/** What a provider says of a requested server. */
export type ProviderAnswer =
  | ({ readonly state: 'allocated' } & AllocatedServer)
  /** Accepted: the server is named later. */
  | { readonly state: 'pending'; readonly retryAfterMs: number | null }
  /** Final: there is no such server, and none follows under this id. */
  | { readonly state: 'failed'; readonly error: string }
  | Unavailable;

/** What a provider says of a server that is no longer wanted. */
export type ReleaseAnswer =
  /** The provider holds nothing under this id. */
  | { readonly state: 'released' }
  /** It has been told, and still holds the server: it is asked again. */
  | { readonly state: 'held' }
  | Unavailable;

/** Allocations that a provider holds, a page of them. */
export interface HeldAllocations {
  readonly ids: readonly string[];
  /** The cursor of the next page; null after the last. */
  readonly next: string | null;
}

/**
 * A source of dedicated servers. No method throws: trouble is an answer. Each may be called again after a reply was
 * lost, and by several replicas: a repeat with the same id has no further effect.
 */
export interface ServerProvider {
  /** Asks for a server. Asked again with the same id, it names the same server. */
  ask(request: AllocationRequest): Promise<ProviderAnswer>;
  /** Asks what became of a request that is `pending`. */
  poll(request: AllocationRequest): Promise<ProviderAnswer>;
  /** Gives a server back, or tells the provider that none is wanted any more. */
  release(request: AllocationRequest): Promise<ReleaseAnswer>;
  /** What it holds, where it can say so. @throws Error when it cannot be asked now */
  readonly list?: ((cursor: string | null) => Promise<HeldAllocations>) | undefined;
}
