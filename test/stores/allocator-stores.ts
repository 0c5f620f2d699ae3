import { PostgresBackfillStore } from '../../apps/allocator/src/backfill/backfills.store.js';
import { PostgresCommandStore } from '../../apps/allocator/src/commands/commands.store.js';
import { FleetRetention } from '../../apps/allocator/src/fleet/retention.store.js';
import { PostgresFleetStore } from '../../apps/allocator/src/fleet/servers.store.js';
import { PostgresSilence } from '../../apps/allocator/src/fleet/silence.store.js';
import { PostgresPlacementStore } from '../../apps/allocator/src/placement/placement.store.js';
import { PostgresShortageStore } from '../../apps/allocator/src/scale-out/shortages.store.js';
import { PostgresSessionStore } from '../../apps/allocator/src/sessions/sessions.store.js';
import type { Db } from '../support/prisma.js';

export type AllocatorStores = ReturnType<typeof allocatorStores>;

/** The stores of an allocator over one database. @param replicaId its name, by which heartbeats are recorded */
export function allocatorStores(db: Db, replicaId: string | null = null) {
  return {
    fleet: new PostgresFleetStore(db, replicaId),
    silence: new PostgresSilence(db),
    retention: new FleetRetention(db),
    commands: new PostgresCommandStore(db),
    sessions: new PostgresSessionStore(db),
    placement: new PostgresPlacementStore(db),
    backfills: new PostgresBackfillStore(db),
    shortages: new PostgresShortageStore(db),
  };
}
