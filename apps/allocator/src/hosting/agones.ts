import type { AllocationRequest, ProviderAnswer, ReleaseAnswer } from '@muster/domain';

/** Labels of Kubernetes objects. */
export type Labels = Readonly<Record<string, string>>;

/** How game servers of Agones are selected and marked. */
export interface AgonesSelection {
  readonly namespace: string;
  /** Labels that a game server must have. `{build}` and `{region}` stand for those of the request. */
  readonly labels: Labels;
  /** Further labels of game servers to try first, best first. */
  readonly preferred: readonly Labels[];
  readonly scheduling: 'Packed' | 'Distributed';
  /** The name of the port that players connect to; undefined: the first. */
  readonly portName?: string | undefined;
}

/** The label that carries the id of an allocation. */
export const allocationLabel = 'muster-allocation';
/** The label of a game server that is not wanted any more. */
export const releasedLabel = 'muster-released';

interface Selector {
  readonly matchLabels: Labels;
  readonly gameServerState: 'READY' | 'ALLOCATED';
}

/** The used fields of `allocation.AllocationRequest`, for gRPC and as JSON. */
export interface AgonesRequest {
  readonly namespace: string;
  readonly gameServerSelectors: readonly Selector[];
  readonly scheduling: 'Packed' | 'Distributed';
  readonly metadata: { readonly labels: Labels; readonly annotations: Labels };
}

/** The used fields of `allocation.AllocationResponse`. */
export interface AgonesResponse {
  readonly gameServerName?: string | undefined;
  readonly address?: string | undefined;
  readonly ports?:
    readonly { readonly name?: string | undefined; readonly port?: number | undefined }[] | undefined;
}

/** What the allocator service said: an allocation, that it found none, or an error. */
export type AgonesReply =
  | { readonly kind: 'allocated'; readonly response: AgonesResponse }
  | { readonly kind: 'none' }
  | { readonly kind: 'error'; readonly error: string; readonly retryAfterMs: number | null };

const labelValue = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;

/** The message of an Agones allocator that found no game server; its status is configurable. */
export const noneFound = /no available GameServer/i;

const byId = ({ id }: AllocationRequest): Selector => ({
  matchLabels: { [allocationLabel]: id },
  gameServerState: 'ALLOCATED',
});

/**
 * A request for a game server. Agones has no idempotent allocation: the first selector finds the game server that an
 * earlier attempt with this id allocated, and only if there is none, the others take one that is ready.
 *
 * @throws Error if the build or region cannot be a label
 */
export function agonesRequest(selection: AgonesSelection, request: AllocationRequest): AgonesRequest {
  const required = filled(selection.labels, request);
  const ready = [...selection.preferred.map((each) => ({ ...required, ...filled(each, request) })), required];
  return {
    namespace: selection.namespace,
    gameServerSelectors: [
      byId(request),
      ...ready.map((matchLabels) => ({ matchLabels, gameServerState: 'READY' as const })),
    ],
    scheduling: selection.scheduling,
    metadata: {
      labels: { [allocationLabel]: request.id },
      annotations: {
        [allocationLabel]: request.id,
        'muster-build': request.build,
        'muster-region': request.region ?? '',
        'muster-reason': request.reason,
      },
    },
  };
}

/** Finds the game server of an allocation, and marks it as not wanted. It takes no other one. */
export function agonesRelease(selection: AgonesSelection, request: AllocationRequest): AgonesRequest {
  return {
    namespace: selection.namespace,
    gameServerSelectors: [byId(request)],
    scheduling: selection.scheduling,
    metadata: {
      labels: { [allocationLabel]: request.id, [releasedLabel]: 'true' },
      annotations: { [releasedLabel]: 'true' },
    },
  };
}

/** The answer to {@link agonesRequest}. */
export function agonesAnswer({ portName }: AgonesSelection, reply: AgonesReply): ProviderAnswer {
  if (reply.kind === 'none')
    return { state: 'unavailable', error: 'no game server with its labels is ready', retryAfterMs: null };
  if (reply.kind === 'error')
    return { state: 'unavailable', error: reply.error, retryAfterMs: reply.retryAfterMs };
  const { gameServerName = '', address = '', ports = [] } = reply.response;
  if (gameServerName === '' || address === '')
    return { state: 'unavailable', error: 'the answer names no game server', retryAfterMs: null };
  const port = portName === undefined ? ports[0] : ports.find(({ name }) => name === portName);
  return { state: 'allocated', serverId: null, host: address, port: port?.port ?? null };
}

/** The answer to {@link agonesRelease}: a game server that is marked is held until it has shut down. */
export function agonesReleased(reply: AgonesReply): ReleaseAnswer {
  if (reply.kind === 'none') return { state: 'released' };
  if (reply.kind === 'allocated') return { state: 'held' };
  return { state: 'unavailable', error: reply.error, retryAfterMs: reply.retryAfterMs };
}

/** Labels with the build and region of the request. A label with the region is left out if any region will do. */
function filled(labels: Labels, { build, region }: AllocationRequest): Labels {
  return Object.fromEntries(
    Object.entries(labels).flatMap(([name, template]) => {
      if (region === null && template.includes('{region}')) return [];
      const value = template.replaceAll('{build}', build).replaceAll('{region}', region ?? '');
      if (!labelValue.test(value))
        throw new Error(
          `“${value}” cannot be the label ${name} of a game server: it must be at most 63 letters, digits, ".", "_" and "-", and begin and end with a letter or digit`,
        );
      return [[name, value]];
    }),
  );
}
