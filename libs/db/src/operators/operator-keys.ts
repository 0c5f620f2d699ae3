import type { Db } from '../client.js';

/** A key that is valid, by its hash. */
export interface ValidKey {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  /** SHA-256 of the key, in hexadecimal digits. */
  readonly hash: string;
  readonly expires_at: Date | null;
}

/** The keys of operators, as every service reads them. */
export class PostgresOperatorKeys {
  constructor(private readonly db: Db) {}

  /** All valid keys. Their number is limited where they are created. */
  valid(): Promise<ValidKey[]> {
    return this.db.$sql.$queryRaw<ValidKey[]>`
      SELECT id, name, role, hash, expires_at FROM operator_key
      WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())`;
  }

  /** Notes that a key was used, at most once a minute. */
  async used(id: string): Promise<void> {
    await this.db.$sql.$executeRaw`
      UPDATE operator_key SET last_used_at = clock_timestamp()
      WHERE id = ${id} AND (last_used_at IS NULL OR last_used_at < clock_timestamp() - interval '1 minute')`;
  }
}
