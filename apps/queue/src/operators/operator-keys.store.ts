import { transact, type Db } from '@muster/db';
import type { OperatorRole } from '@muster/contracts';

/** A key to store. */
export interface NewKey {
  readonly keyId: string;
  readonly name: string;
  readonly role: OperatorRole;
  /** SHA-256 of the key, in hexadecimal digits. */
  readonly hash: string;
  readonly by: string;
  readonly now: number;
  readonly expiresAt: number | null;
}

/** A stored key. */
export interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly created_at: Date;
  readonly created_by: string;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly last_used_at: Date | null;
  /** Of a session: the key, or the kind of credential, with which its code was made. */
  readonly made_with: string | null;
}

/** Keys of operators, in Postgres. */
export class PostgresKeyAdministration {
  constructor(private readonly db: Db) {}

  /**
   * Stores a key.
   *
   * @param limits the numbers of valid keys of the name, and of all; sessions have limits of their own
   * @returns the numbers of valid keys if they are at a limit, otherwise the key
   */
  create(
    key: NewKey,
    limits: { readonly ofName: number; readonly inAll: number },
  ): Promise<KeyRow | { readonly ofName: number; readonly inAll: number }> {
    return transact(this.db, async (tx) => {
      // Keys are created one at a time, so that the limits hold.
      await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended('operator_key', 0))::text`;
      const [{ ofName, inAll } = { ofName: 0, inAll: 0 }] = await tx.$queryRaw<
        { ofName: number; inAll: number }[]
      >`
        SELECT count(*) FILTER (WHERE name = ${key.name})::int AS "ofName", count(*)::int AS "inAll" FROM operator_key
        WHERE made_with IS NULL AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${new Date(key.now)})`;
      if (ofName >= limits.ofName || inAll >= limits.inAll) return { ofName, inAll };
      const [row] = await tx.$queryRaw<KeyRow[]>`
        INSERT INTO operator_key (id, name, role, hash, created_at, created_by, expires_at)
        VALUES (${key.keyId}, ${key.name}, ${key.role}, ${key.hash}, ${new Date(key.now)}, ${key.by},
          ${key.expiresAt === null ? null : new Date(key.expiresAt)})
        RETURNING id, name, role, created_at, created_by, expires_at, revoked_at, last_used_at, made_with`;
      if (!row) throw new Error('a stored key returned no row');
      return row;
    });
  }

  /** All keys, newest first. Their number is limited, and ended ones are deleted. */
  list(): Promise<KeyRow[]> {
    return this.db.$sql.$queryRaw<KeyRow[]>`
      SELECT id, name, role, created_at, created_by, expires_at, revoked_at, last_used_at, made_with FROM operator_key
      ORDER BY created_at DESC, id`;
  }

  /** Revokes a key with its sessions; one that is revoked keeps its time. @returns undefined if there is none */
  async revoke(keyId: string, now: number): Promise<KeyRow | undefined> {
    const rows = await this.db.$sql.$queryRaw<KeyRow[]>`
      UPDATE operator_key SET revoked_at = coalesce(revoked_at, ${new Date(now)}) WHERE id = ${keyId} OR made_with = ${keyId}
      RETURNING id, name, role, created_at, created_by, expires_at, revoked_at, last_used_at, made_with`;
    return rows.find(({ id }) => id === keyId);
  }

  /** Deletes keys that ended before a time, and sessions that ended before another one. */
  async deleteEnded(before: number, sessionsBefore: number): Promise<void> {
    await this.db.$sql.$executeRaw`
      DELETE FROM operator_key
      WHERE least(revoked_at, expires_at) < CASE WHEN made_with IS NULL THEN ${new Date(before)}::timestamptz ELSE ${new Date(sessionsBefore)} END`;
  }
}
