import type { CreateKey, KeyView } from '@muster/contracts';
import { operatorRoles } from '@muster/contracts';
import { KeyNotFound, oneOf, TooManyKeys, type Clock, type Ids } from '@muster/domain';
import type { KeyRow, PostgresKeyAdministration } from './operator-keys.store.js';

const dayMs = 86_400_000;
/** A rotation has two keys of a name; a third one would be forgotten. */
const limits = { ofName: 2, inAll: 500 };

/** Makes keys: the text for the holder, and its hash for the store. */
export interface KeyMaker {
  make(): { readonly key: string; readonly hash: string };
}

/** Creates, lists and revokes keys of operators. */
export class KeyAdministration {
  constructor(
    private readonly store: Pick<PostgresKeyAdministration, 'create' | 'list' | 'revoke'>,
    private readonly clock: Clock,
    private readonly ids: Pick<Ids, 'make'>,
    private readonly maker: KeyMaker,
  ) {}

  /** @throws TooManyKeys */
  async create(
    { name, role, expiresInDays }: CreateKey,
    by: string,
  ): Promise<KeyView & { readonly key: string }> {
    const now = this.clock.now();
    const { key, hash } = this.maker.make();
    const expiresAt = expiresInDays === undefined ? null : now + expiresInDays * dayMs;
    const made = { keyId: this.ids.make('key'), name, role, hash, by, now, expiresAt };
    const stored = await this.store.create(made, limits);
    if ('id' in stored) return { ...viewOf(stored), key };
    const { ofName, inAll } = stored;
    throw new TooManyKeys(
      ofName >= limits.ofName
        ? `"${name}" has ${ofName} valid keys, as many as a rotation needs. Revoke one first (DELETE /v1/keys/KEY).`
        : `There are ${inAll} valid keys, the most that are kept. Revoke some first.`,
      { name, ofName, inAll },
    );
  }

  async list(): Promise<{ keys: KeyView[] }> {
    return { keys: (await this.store.list()).map(viewOf) };
  }

  /** Idempotent. @throws KeyNotFound */
  async revoke(keyId: string): Promise<KeyView> {
    const row = await this.store.revoke(keyId, this.clock.now());
    if (!row) throw new KeyNotFound(`There is no key ${keyId}; GET /v1/keys lists them.`, { keyId });
    return viewOf(row);
  }
}

/** A key as the API shows it. */
export function viewOf(row: KeyRow): KeyView {
  return {
    keyId: row.id,
    name: row.name,
    role: oneOf(operatorRoles, row.role),
    createdAt: row.created_at.getTime(),
    createdBy: row.created_by,
    expiresAt: row.expires_at?.getTime() ?? null,
    revokedAt: row.revoked_at?.getTime() ?? null,
    lastUsedAt: row.last_used_at?.getTime() ?? null,
    ofSignIn: row.made_with !== null,
  };
}
