import { operatorRoles, type OperatorRole } from '@muster/contracts';
import type { PostgresOperatorKeys, ValidKey } from '@muster/db';
import { oneOf } from '@muster/domain';
import { createHash } from 'node:crypto';

/** Keys of operators begin with this. */
export const keyPrefix = 'muk_';

/** How long a process may accept a revoked key, in milliseconds. */
const listMs = 5_000;
/** How soon a key that is not in the list is looked up again: it may have been created a moment ago. */
const againMs = 1_000;
/** How long keys are accepted while the database is away: operators need them then. */
const staleMs = 600_000;
const usedMs = 60_000;

/** An operator who has authenticated. */
export interface KnownOperator {
  readonly name: string;
  readonly role: OperatorRole;
  readonly signIn: 'key' | 'token' | 'setting';
  readonly keyId: string | null;
}

/** The stored form of a key. It has 256 random bits, so a plain hash tells nothing about it. */
export function hashOfKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/**
 * Verifies keys of operators. Each process keeps the list of valid keys and reads it again at most once a second, so unknown keys
 * cost the database nothing.
 */
export class OperatorKeys {
  private keys: ReadonlyMap<string, ValidKey> = new Map();
  private readAt = Number.NEGATIVE_INFINITY;
  private triedAt = Number.NEGATIVE_INFINITY;
  private reading: Promise<void> | null = null;
  private readonly usedAt = new Map<string, number>();

  /**
   * @param elapsed milliseconds of a monotonic clock
   * @param onError gets errors of the store
   */
  constructor(
    private readonly store: Pick<PostgresOperatorKeys, 'valid' | 'used'>,
    private readonly elapsed: () => number,
    private readonly onError: (error: unknown) => void,
  ) {}

  /**
   * @param now milliseconds since the epoch
   * @returns null for a key that is unknown, revoked or expired
   * @throws the error of the store while the list is unknown or too old
   */
  async find(key: string, now: number): Promise<KnownOperator | null> {
    const hash = hashOfKey(key);
    if (this.elapsed() - this.readAt > listMs || (!this.keys.has(hash) && this.mayTry())) await this.read();
    const found = this.keys.get(hash);
    if (!found || (found.expires_at !== null && found.expires_at.getTime() <= now)) return null;
    this.noteUse(found.id);
    return { name: found.name, role: oneOf(operatorRoles, found.role), signIn: 'key', keyId: found.id };
  }

  private mayTry(): boolean {
    return this.elapsed() - this.triedAt >= againMs;
  }

  private async read(): Promise<void> {
    if (!this.reading && !this.mayTry()) return;
    this.reading ??= this.readAgain().finally(() => (this.reading = null));
    await this.reading;
  }

  private async readAgain(): Promise<void> {
    const startedAt = this.elapsed();
    try {
      const keys = await this.store.valid();
      this.keys = new Map(keys.map((key) => [key.hash, key]));
      this.readAt = startedAt;
    } catch (error) {
      this.onError(error);
      if (startedAt - this.readAt > staleMs) throw error;
    } finally {
      this.triedAt = this.elapsed();
    }
  }

  private noteUse(id: string): void {
    const at = this.elapsed();
    if (at - (this.usedAt.get(id) ?? Number.NEGATIVE_INFINITY) < usedMs) return;
    this.usedAt.set(id, at);
    this.store.used(id).catch(this.onError);
  }
}
