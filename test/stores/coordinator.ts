import {
  seededRandom,
  type FleetScaler,
  type HostingRule,
  type ServerProvider,
  type ServerShortage,
} from '@muster/domain';
import { Hosting, type NamedProvider } from '../../apps/allocator/src/hosting/hosting.js';
import { PostgresAllocationStore } from '../../apps/allocator/src/hosting/hosting.store.js';
import { allocatorStores, type AllocatorStores } from './allocator-stores.js';
import { as, type TestDatabase } from '../support/database.js';
import { aServer, noon, range } from './fixtures.js';

/** A shortage of as many slots as matches wait. */
export const needFor = (waitingMatches: number): ServerShortage => ({
  build: '1.4.2',
  regions: ['eu'],
  waitingMatches,
  slots: waitingMatches,
  servers: waitingMatches,
  at: noon,
});

const anywhere: HostingRule[] = [{ provider: 'p' }];

/** What differs from a provider `p` that is asked for everything. */
export interface CoordinatorOptions extends Partial<Omit<NamedProvider, 'provider'>> {
  readonly rules?: readonly HostingRule[];
  readonly others?: readonly NamedProvider[];
  readonly otherwise?: FleetScaler | null;
}

/** Replicas that ask the same provider, with a time that the test moves. */
export class Coordinator {
  now = noon;
  readonly troubles: string[] = [];
  readonly replicas: Hosting[];
  readonly store: PostgresAllocationStore;
  readonly allocator: AllocatorStores;
  private made = 0;

  constructor(
    private readonly database: TestDatabase,
    provider: ServerProvider,
    { rules = anywhere, others = [], otherwise = null, ...over }: CoordinatorOptions = {},
    count = 1,
  ) {
    this.store = new PostgresAllocationStore(as('allocator', database.db));
    this.allocator = allocatorStores(as('allocator', database.db));
    const named: NamedProvider = {
      name: 'p',
      provider,
      slots: 1,
      maxPending: 10,
      claimMs: 120_000,
      timeoutMs: 1_000,
      concurrency: 8,
      ...over,
    };
    const random = seededRandom(7);
    const makeId = (): string => `alc_${(++this.made).toString(16).padStart(32, '0')}`;
    this.replicas = range(count).map(
      () =>
        new Hosting(
          new PostgresAllocationStore(as('allocator', database.connect(2))),
          [named, ...others],
          rules,
          { now: () => this.now },
          random,
          makeId,
          otherwise,
          (_provider, error) => this.troubles.push(error),
          () => undefined,
        ),
    );
  }

  get hosting(): Hosting {
    const [first] = this.replicas;
    if (!first) throw new Error('there is a replica');
    return first;
  }

  /** Passes time, and lets all replicas make the steps that are due then. */
  async pass(ms: number): Promise<void> {
    this.now += ms;
    await Promise.all(this.replicas.map((each) => each.start()));
    await Promise.all(this.replicas.map((each) => each.settled()));
  }

  async states(): Promise<string[]> {
    const rows = await this.database.db.allocation.findMany({ orderBy: { id: 'asc' } });
    return rows.map(({ state }) => state);
  }

  async only(): Promise<{
    id: string;
    state: string;
    serverId: string | null;
    lastError: string | null;
    nextAt: Date | null;
  }> {
    const rows = await this.database.db.allocation.findMany();
    const [row] = rows;
    if (!row || rows.length > 1) throw new Error(`there are ${rows.length} allocations`);
    return row;
  }

  register(serverId: string, allocation?: string): Promise<{ incarnation: number }> {
    return this.allocator.fleet.register(aServer(serverId, { build: '1.4.2', allocation }), this.now);
  }
}

/** A provider that answers from a list, and remembers what it was asked. */
export function scripted(over: Partial<ServerProvider> = {}): ServerProvider & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    ask: async ({ id }) => {
      asked.push(`ask ${id.slice(-1)}`);
      return { state: 'allocated', serverId: null, host: 'h', port: 1 };
    },
    poll: async ({ id }) => {
      asked.push(`poll ${id.slice(-1)}`);
      return { state: 'allocated', serverId: null, host: 'h', port: 1 };
    },
    release: async ({ id }) => {
      asked.push(`release ${id.slice(-1)}`);
      return { state: 'released' };
    },
    ...over,
  };
}
