import { z } from 'zod';
import { FaultPlan } from './faults.js';

/** A game server of the cluster. */
export interface GameServerOfCluster {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  state: 'Ready' | 'Allocated' | 'Shutdown';
  readonly labels: Record<string, string>;
  readonly annotations: Record<string, string>;
}

const labelKey = /^([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?\/)?[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;
const labelValue = /^([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$/;
const Labels = z.record(z.string().regex(labelKey), z.string().regex(labelValue));
const Selector = z.strictObject({
  matchLabels: Labels.optional(),
  gameServerState: z.enum(['READY', 'ALLOCATED']).optional(),
});
const MetaPatch = z.strictObject({
  labels: Labels.optional(),
  annotations: z.record(z.string().regex(labelKey), z.string()).optional(),
});

/**
 * The request of the published definition (https://github.com/googleforgames/agones,
 * pkg/allocation/go/allocation.swagger.json), less what needs the feature CountsAndLists or several clusters, and with what
 * the allocator checks: selectors exclude the deprecated fields, and labels are those of Kubernetes.
 */
const AllocationRequest = z
  .strictObject({
    namespace: z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/),
    requiredGameServerSelector: Selector.optional(),
    preferredGameServerSelectors: z.array(Selector).optional(),
    scheduling: z.enum(['Packed', 'Distributed']).optional(),
    metaPatch: MetaPatch.optional(),
    metadata: MetaPatch.optional(),
    gameServerSelectors: z.array(Selector).optional(),
  })
  .refine(
    (request) =>
      !request.gameServerSelectors?.length ||
      (!request.requiredGameServerSelector && !request.preferredGameServerSelectors?.length),
    'gameServerSelectors can only be set if neither Required nor Preferred is set',
  );
type AllocationRequest = z.infer<typeof AllocationRequest>;

/** What the cluster says of a request. */
export type Allocated =
  | { readonly outcome: 'allocated'; readonly gameServer: GameServerOfCluster }
  | { readonly outcome: 'none' | 'invalid' };

/** A cluster with Agones: it allocates game servers as the allocator does, and counts what goes wrong. */
export class AgonesCluster {
  readonly gameServers = new Map<string, GameServerOfCluster>();
  readonly faults = new FaultPlan();
  /** What was wrong with requests. */
  readonly invalid: string[] = [];
  requests = 0;
  /** Called when a game server is allocated, or its metadata change. */
  onChange: (gameServer: GameServerOfCluster) => void = () => undefined;
  private made = 0;

  constructor(private readonly namespace = 'default') {}

  /** Adds game servers that are ready. */
  add(count: number, labels: Readonly<Record<string, string>>): void {
    for (let i = 0; i < count; i++) {
      const name = `game-${++this.made}`;
      const port = 7_000 + (this.made % 1_000);
      this.gameServers.set(name, {
        name,
        address: '203.0.113.7',
        port,
        state: 'Ready',
        labels: { ...labels },
        annotations: {},
      });
    }
  }

  /** A game server calls `Shutdown`: it is replaced, as a fleet does. */
  shutDown({ name, labels }: GameServerOfCluster, replaced = true): void {
    const gone = this.gameServers.get(name);
    if (!gone) return;
    gone.state = 'Shutdown';
    this.gameServers.delete(name);
    const { 'muster-allocation': _id, 'muster-released': _released, ...own } = labels;
    if (replaced) this.add(1, own);
  }

  get allocated(): GameServerOfCluster[] {
    return [...this.gameServers.values()].filter(({ state }) => state === 'Allocated');
  }

  /** Allocates for the body of a request. */
  allocate(body: unknown): Allocated {
    this.requests++;
    const read = AllocationRequest.safeParse(body);
    if (!read.success) {
      this.invalid.push(...read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`));
      return { outcome: 'invalid' };
    }
    const found = this.find(read.data);
    if (!found) return { outcome: 'none' };
    found.state = 'Allocated';
    const metadata = read.data.metadata ?? read.data.metaPatch;
    Object.assign(found.labels, metadata?.labels);
    Object.assign(found.annotations, metadata?.annotations);
    this.onChange(found);
    return { outcome: 'allocated', gameServer: found };
  }

  private find(request: AllocationRequest): GameServerOfCluster | undefined {
    if (request.namespace !== this.namespace) return undefined;
    const required = request.requiredGameServerSelector ?? {};
    const selectors = request.gameServerSelectors?.length
      ? request.gameServerSelectors
      : [...(request.preferredGameServerSelectors ?? []), required];
    for (const { matchLabels = {}, gameServerState = 'READY' } of selectors)
      for (const each of this.gameServers.values())
        if (
          each.state.toUpperCase() === gameServerState &&
          Object.entries(matchLabels).every(([name, value]) => each.labels[name] === value)
        )
          return each;
    return undefined;
  }
}
