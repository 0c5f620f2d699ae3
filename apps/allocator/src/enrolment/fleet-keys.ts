import type { ChangeFleetKey, CreateFleetKey, FleetKeyCreated, FleetKeyView } from '@muster/contracts';
import { KeyNotFound, TooManyKeys, type Clock, type Ids } from '@muster/domain';
import type { FleetKeyRow, PostgresFleetKeys } from './fleet-keys.store.js';

const dayMs = 86_400_000;
/** Every service keeps them all in memory. */
const mostKeys = 500;

/** Creates, lists, changes and revokes keys with which servers of a fleet register. */
export class FleetKeys {
  constructor(
    private readonly store: Pick<PostgresFleetKeys, 'create' | 'list' | 'change' | 'revoke'>,
    private readonly clock: Clock,
    private readonly ids: Pick<Ids, 'make'>,
    private readonly secrets: { keyOf(keyId: string): string },
  ) {}

  /** @throws TooManyKeys */
  async create({ expiresInDays, ...caps }: CreateFleetKey, by: string): Promise<FleetKeyCreated> {
    const now = this.clock.now();
    const keyId = this.ids.make('flk');
    const expiresAt = expiresInDays === undefined ? null : now + expiresInDays * dayMs;
    const stored = await this.store.create({ ...caps, keyId, by, now, expiresAt }, mostKeys);
    if (stored) return { ...viewOf(stored), key: this.secrets.keyOf(keyId) };
    throw new TooManyKeys(
      `There are ${mostKeys} valid fleet keys, the most that are kept. Revoke some first (DELETE /v1/fleet-keys/KEY).`,
      { inAll: mostKeys },
    );
  }

  async list(): Promise<{ keys: FleetKeyView[] }> {
    return { keys: (await this.store.list()).map(viewOf) };
  }

  /** @throws KeyNotFound */
  async change(keyId: string, caps: ChangeFleetKey): Promise<FleetKeyView> {
    return viewOf((await this.store.change(keyId, caps)) ?? unknown(keyId));
  }

  /** Idempotent. @throws KeyNotFound */
  async revoke(keyId: string, endsServers: boolean): Promise<FleetKeyView> {
    return viewOf((await this.store.revoke(keyId, endsServers, this.clock.now())) ?? unknown(keyId));
  }
}

function unknown(keyId: string): never {
  throw new KeyNotFound(`There is no fleet key ${keyId}; GET /v1/fleet-keys lists them.`, { keyId });
}

function viewOf({ id, createdAt, expiresAt, revokedAt, ...row }: FleetKeyRow): FleetKeyView {
  return {
    keyId: id,
    ...row,
    regions: [...row.regions],
    builds: [...row.builds],
    createdAt: createdAt.getTime(),
    expiresAt: expiresAt?.getTime() ?? null,
    revokedAt: revokedAt?.getTime() ?? null,
  };
}
