import type { OperatorRole } from '@muster/contracts';
import type { Db } from '@muster/db';
import type { KeyRow } from './operator-keys.store.js';

/** A code to store. */
export interface NewCode {
  readonly hash: string;
  readonly name: string;
  readonly role: OperatorRole;
  /** The key, or the kind of credential without one, of who asks for the code. */
  readonly madeWith: string;
  readonly expiresAt: number;
}

/** The key of a session that a code is exchanged for. */
export interface NewSession {
  readonly keyId: string;
  readonly hash: string;
  readonly now: number;
  readonly expiresAt: number;
}

/** Codes that sign in once, in Postgres. */
export class PostgresSignIns {
  constructor(private readonly db: Db) {}

  /** Stores a code. @param most codes of a name; the oldest give way */
  async addCode({ hash, name, role, madeWith, expiresAt }: NewCode, most: number): Promise<void> {
    await this.db.$sql.$executeRaw`
      WITH given_way AS (
        DELETE FROM sign_in_code WHERE hash = ANY(ARRAY(
          SELECT hash FROM sign_in_code WHERE name = ${name} ORDER BY expires_at DESC OFFSET ${most - 1}::int)))
      INSERT INTO sign_in_code (hash, name, role, made_with, expires_at)
      VALUES (${hash}, ${name}, ${role}, ${madeWith}, ${new Date(expiresAt)})`;
  }

  /**
   * Exchanges a code for the key of a session, once: of two callers, the second waits for the row that the first deletes.
   *
   * 1. Delete the code. It is gone also where it is refused: it has expired, or the key that made it is not valid any more.
   * 2. A session ends with the key that made its code, at the latest, so that no chain of sessions goes on for ever.
   * 3. A session that was made by a session belongs to the key of that one, and is revoked with it.
   * 4. Of the sessions of a name, the oldest give way.
   *
   * @param most sessions of a name
   * @returns undefined if the code is refused
   */
  async exchange(
    code: string,
    { keyId, hash, now, expiresAt }: NewSession,
    most: number,
  ): Promise<KeyRow | undefined> {
    const at = new Date(now);
    const [row] = await this.db.$sql.$queryRaw<KeyRow[]>`
      WITH code AS (DELETE FROM sign_in_code WHERE hash = ${code} RETURNING name, role, made_with, expires_at),
      maker AS (
        SELECT made.id, made.made_with, made.expires_at FROM operator_key made JOIN code ON made.id = code.made_with
        WHERE made.revoked_at IS NULL AND (made.expires_at IS NULL OR made.expires_at > ${at})),
      accepted AS (
        SELECT code.name, code.role, coalesce(maker.made_with, code.made_with) AS made_with,
          least(${new Date(expiresAt)}::timestamptz, maker.expires_at) AS expires_at
        FROM code LEFT JOIN maker ON true
        WHERE code.expires_at > ${at} AND (maker.id IS NOT NULL OR code.made_with IN ('token', 'setting'))),
      given_way AS (
        UPDATE operator_key SET revoked_at = ${at} WHERE id = ANY(ARRAY(
          SELECT session.id FROM operator_key session JOIN accepted ON accepted.name = session.name
          WHERE session.made_with IS NOT NULL AND session.revoked_at IS NULL AND session.expires_at > ${at}
          ORDER BY session.created_at DESC, session.id OFFSET ${most - 1}::int)))
      INSERT INTO operator_key (id, name, role, hash, created_at, created_by, expires_at, made_with)
      SELECT ${keyId}, name, role, ${hash}, ${at}, name, expires_at, made_with FROM accepted
      RETURNING id, name, role, created_at, created_by, expires_at, revoked_at, last_used_at, made_with`;
    return row;
  }

  /** Deletes codes that have expired before a time. */
  async deleteExpired(before: number): Promise<void> {
    await this.db.$sql.$executeRaw`DELETE FROM sign_in_code WHERE expires_at < ${new Date(before)}`;
  }
}
