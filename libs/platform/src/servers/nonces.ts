import { signatureWindowSeconds } from '@muster/contracts';
import { RequestReplayed } from '@muster/domain';
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Longer than a signature is taken, from the first moment to the last. */
const keptMs = (2 * signatureWindowSeconds + 1) * 1000;
const keptHere = 50_000;

/** The one command of Redis that is needed. */
export interface SetsOnce {
  set(name: string, value: string, px: 'PX', ms: number, nx: 'NX'): Promise<unknown>;
}

/**
 * The nonces of signed requests, which all replicas share: each is used once. Where Redis is away, a call that is safe to repeat is
 * let through by what this process saw, since servers must be heard then, too; others fail.
 */
export class Nonces {
  private readonly seen = new LRUCache<string, true>({ max: keptHere, ttl: keptMs });
  private redis: SetsOnce | null = null;

  /**
   * @param connect opens the connection, at the first signed request
   * @param root of the realm's keys
   */
  constructor(
    private readonly connect: () => SetsOnce,
    private readonly root: string,
  ) {}

  /**
   * @param isSafe whether a repeat of the call changes nothing
   * @throws RequestReplayed for a nonce that was used with the key; the error of Redis
   */
  async use(keyid: string, nonce: string, isSafe: boolean): Promise<void> {
    const name = createHash('sha256').update(`${keyid} ${nonce}`).digest('base64url');
    if (this.seen.has(name)) throw replayed();
    this.seen.set(name, true);
    try {
      this.redis ??= this.connect();
      const set = await this.redis.set(`${this.root}:nonce:${name}`, '1', 'PX', keptMs, 'NX');
      if (set === null) throw replayed();
    } catch (error) {
      if (error instanceof RequestReplayed || !isSafe) throw error;
    }
  }
}

const replayed = (): RequestReplayed =>
  new RequestReplayed(
    'A request with this nonce was received before. Sign each request anew, also when it is repeated.',
  );
