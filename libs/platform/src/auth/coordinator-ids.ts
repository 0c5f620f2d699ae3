import type { Ids, KnownId } from '@muster/domain';
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { keysFor } from './coordinator-keys.js';

/** Parts of an id, in bytes: what identifies the ticket, and the signature over it. Together 22 characters. */
const nameBytes = 11;
const signatureBytes = 5;
/** Bytes of the name of a new ticket that hold when it was created, in seconds since the epoch. */
const timeBytes = 4;

/**
 * Ids of tickets, signed: a ticket that the store does not know was lost if its id is genuine, and never existed
 * otherwise. Nothing has to be stored for that. Ids of the previous release are not signed.
 */
export class CoordinatorIds implements Ids {
  /** The first signs. */
  private readonly keys: readonly [Buffer, ...Buffer[]];

  /**
   * @param coordinatorKey the coordinator's private JWK, which all replicas share, or two
   * @param former creates ids as the previous release does
   */
  constructor(
    coordinatorKey: string,
    private readonly now: () => number,
    readonly former: Ids,
  ) {
    this.keys = keysFor('muster ticket ids', coordinatorKey);
  }

  make(prefix: string): string {
    const name = randomBytes(nameBytes);
    name.writeUInt32BE(Math.floor(this.now() / 1000) % 2 ** 32, 0);
    return this.signed(prefix, 'made', name);
  }

  derive(prefix: string, text: string): string {
    const name = createHash('sha256').update(text).digest().subarray(0, nameBytes);
    return this.signed(prefix, 'derived', name);
  }

  fingerprint(value: unknown): string {
    return this.former.fingerprint(value);
  }

  /** @returns null for an id that was not created here */
  read(id: string): KnownId | null {
    const [prefix = '', text = ''] = id.split(/_(.*)/s);
    const bytes = Buffer.from(text, 'base64url');
    if (bytes.length !== nameBytes + signatureBytes || bytes.toString('base64url') !== text) return null;
    const name = bytes.subarray(0, nameBytes);
    const is = (kind: Kind): boolean =>
      this.keys.some((key) => timingSafeEqual(bytes.subarray(nameBytes), signature(key, prefix, kind, name)));
    if (is('made')) return { createdAt: name.readUIntBE(0, timeBytes) * 1000 };
    return is('derived') ? { createdAt: null } : null;
  }

  private signed(prefix: string, kind: Kind, name: Buffer): string {
    const id = Buffer.concat([name, signature(this.keys[0], prefix, kind, name)]);
    return `${prefix}_${id.toString('base64url')}`;
  }
}

type Kind = 'made' | 'derived';

function signature(key: Buffer, prefix: string, kind: Kind, name: Buffer): Buffer {
  const whole = createHmac('sha256', key).update(`${prefix} ${kind} `).update(name).digest();
  return whole.subarray(0, signatureBytes);
}
