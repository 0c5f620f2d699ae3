import { own, type Ids, type KnownId } from '@muster/domain';
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

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
  private readonly key: Buffer;

  /**
   * @param coordinatorKey the coordinator's private JWK, which all replicas share
   * @param former creates ids as the previous release does
   */
  constructor(
    coordinatorKey: string,
    private readonly now: () => number,
    readonly former: Ids,
  ) {
    this.key = keyFor('muster ticket ids', coordinatorKey);
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
      timingSafeEqual(bytes.subarray(nameBytes), this.signature(prefix, kind, name));
    if (is('made')) return { createdAt: name.readUIntBE(0, timeBytes) * 1000 };
    return is('derived') ? { createdAt: null } : null;
  }

  private signed(prefix: string, kind: Kind, name: Buffer): string {
    const id = Buffer.concat([name, this.signature(prefix, kind, name)]);
    return `${prefix}_${id.toString('base64url')}`;
  }

  private signature(prefix: string, kind: Kind, name: Buffer): Buffer {
    const whole = createHmac('sha256', this.key).update(`${prefix} ${kind} `).update(name).digest();
    return whole.subarray(0, signatureBytes);
  }
}

type Kind = 'made' | 'derived';

/** A key for one purpose, which says nothing about the coordinator's key. All replicas derive the same. */
export function keyFor(purpose: string, coordinatorKey: string): Buffer {
  return createHmac('sha256', secretOf(coordinatorKey)).update(purpose).digest();
}

/** The secret part of a private JWK. */
function secretOf(privateJwk: string): string {
  const jwk = JSON.parse(privateJwk) as Readonly<Record<string, unknown>>;
  const secret = own(jwk, 'd');
  if (typeof secret !== 'string') throw new Error('COORDINATOR_KEY has no private part "d".');
  return secret;
}
