import { placementPolicies, type PlacementPolicy } from '@muster/domain';
import { serviceLimits } from '@muster/db';
import { allocatorStores, type AllocatorStores } from '../../stores/allocator-stores.js';
import { percentile } from '../../support/percentile.js';
import { endMatches, fillFleet, formMatches } from './fleet.js';
import { createDb, type Db } from '../../support/prisma.js';

/** Placement by a policy, with a number of servers. */
export interface RegressionRow {
  readonly servers: number;
  readonly policy: PlacementPolicy;
  /** The time of a batch of 32 matches, alone. */
  readonly batchMsP50: number;
  /** Matches placed by two allocators that place at once. */
  readonly perSecond: number;
}

/** The size of a batch, as the allocator places it. */
const batch = 32;
const warmUpBatches = 10;
const timedBatches = 40;
const replicas = 2;
const throughputBatches = 60;
const timeouts = { answerMs: 600_000, silenceMs: 3_600_000, massSilenceMs: 3_600_000, avoidMs: 15_000 };

/** Times placement for each number of servers and each policy. @param url a migrated database */
export async function measurePlacement(
  url: string,
  sizes: readonly number[],
  say: (text: string) => void,
): Promise<RegressionRow[]> {
  const admin = createDb(url, { maxConnections: 2 });
  const allocators = Array.from({ length: replicas }, () =>
    createDb(url, { maxConnections: 10, limits: serviceLimits }),
  );
  try {
    const rows: RegressionRow[] = [];
    for (const servers of sizes) {
      for (const policy of placementPolicies) {
        say(`placement by ${policy} at ${servers} servers`);
        await fillFleet(admin, servers);
        await admin.$executeRawUnsafe('VACUUM ANALYZE');
        rows.push({ servers, policy, ...(await measure(admin, allocators, policy)) });
      }
    }
    return rows;
  } finally {
    await Promise.all([admin, ...allocators].map((db) => db.$disconnect()));
  }
}

async function measure(
  admin: Db,
  dbs: readonly Db[],
  policy: PlacementPolicy,
): Promise<Omit<RegressionRow, 'servers' | 'policy'>> {
  const stores = dbs.map((db) => allocatorStores(db));
  const [first] = stores;
  if (!first) throw new Error('there is no allocator');
  const times: number[] = [];
  for (let i = 0; i < warmUpBatches + timedBatches; i++) {
    const matchIds = await formMatches(admin, `alone-${i}`, batch, policy);
    const from = performance.now();
    await placeAll(first, matchIds);
    if (i >= warmUpBatches) times.push(performance.now() - from);
    await endMatches(admin, matchIds);
  }
  const waiting = await formMatches(admin, 'many', batch * throughputBatches, policy);
  const from = performance.now();
  await Promise.all(
    stores.map(async (store, replica) => {
      for (let i = replica; i < throughputBatches; i += replicas) {
        const matchIds = waiting.slice(i * batch, (i + 1) * batch);
        await placeAll(store, matchIds);
        await endMatches(admin, matchIds);
      }
    }),
  );
  const seconds = (performance.now() - from) / 1000;
  return { batchMsP50: percentile(times, 50), perSecond: waiting.length / seconds };
}

/** @throws Error if a match was not placed: the fleet has free slots */
async function placeAll(store: AllocatorStores, matchIds: readonly string[]): Promise<void> {
  const results = await Promise.all(matchIds.map((id) => store.placement.place(id, timeouts, Date.now())));
  const others = results.filter(({ outcome }) => outcome !== 'reserved').length;
  if (others > 0) throw new Error(`${others} of ${matchIds.length} matches were not placed`);
}
