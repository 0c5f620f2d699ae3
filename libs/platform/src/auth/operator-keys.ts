import { operatorRoles, type OperatorRole } from '@muster/contracts';
import type { PostgresOperatorKeys, ValidKey } from '@muster/db';
import { oneOf } from '@muster/domain';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** Keys of operators begin with this. */
export const keyPrefix = 'muk_';

/** How long a process may accept a revoked key, in milliseconds. */
const listMs = 5_000;
/** The pause between two reads: a key that is not in the list waits for the next one, as it may have been created a moment ago. */
const againMs = 200;
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
 * Verifies keys of operators. Each process keeps the list of valid keys and reads it again at most five times a second, however
 * many unknown keys are tried.
 */
export class OperatorKeys {
  private keys: ReadonlyMap<string, ValidKey> = new Map();
  private readAt = Number.NEGATIVE_INFINITY;
  private triedAt = Number.NEGATIVE_INFINITY;
  private failure: unknown = null;
  private next: Promise<void> | null = null;
  private readonly usedAt = new Map<string, number>();

  /**
   * @param elapsed milliseconds of a monotonic clock
   * @param onError gets errors of the store
   */
  constructor(
    private readonly store: Pick<PostgresOperatorKeys, 'valid' | 'used'>,
    private readonly elapsed: () => number,
    private readonly onError: (error: unknown) => void,
    private readonly pause: (ms: number) => Promise<unknown> = (ms) => sleep(ms, undefined, { ref: false }),
  ) {}

  /**
   * @param now milliseconds since the epoch
   * @returns null for a key that is unknown, revoked or expired
   * @throws the error of the store while the list is unknown or too old
   */
  async find(key: string, now: number): Promise<KnownOperator | null> {
    const hash = hashOfKey(key);
    if (this.elapsed() - this.readAt > listMs || !this.keys.has(hash)) await this.read();
    if (this.failure !== null && this.elapsed() - this.readAt > staleMs) throw this.failure;
    const found = this.keys.get(hash);
    if (!found || (found.expires_at !== null && found.expires_at.getTime() <= now)) return null;
    this.noteUse(found.id);
    return { name: found.name, role: oneOf(operatorRoles, found.role), signIn: 'key', keyId: found.id };
  }

  /** Calls that wait share the next read. One that has begun may be older than the key. */
  private async read(): Promise<void> {
    this.next ??= this.readNext();
    await this.next;
  }

  private async readNext(): Promise<void> {
    await this.pause(Math.max(0, this.triedAt + againMs - this.elapsed()));
    this.next = null;
    const startedAt = this.elapsed();
    this.triedAt = startedAt;
    try {
      const keys = await this.store.valid();
      if (startedAt < this.readAt) return;
      this.keys = new Map(keys.map((key) => [key.hash, key]));
      this.readAt = startedAt;
      this.failure = null;
    } catch (error) {
      this.onError(error);
      this.failure = error;
    }
  }

  private noteUse(id: string): void {
    const at = this.elapsed();
    if (at - (this.usedAt.get(id) ?? Number.NEGATIVE_INFINITY) < usedMs) return;
    this.usedAt.set(id, at);
    this.store.used(id).catch(this.onError);
  }
}
