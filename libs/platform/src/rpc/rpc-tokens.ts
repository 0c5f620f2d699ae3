import { createHmac, timingSafeEqual } from 'node:crypto';
import { keysFor } from '../auth/coordinator-keys.js';

/** The name of a caller: a service, or a program that was given a token of its own. */
const form = /^([a-z][a-z0-9-]{0,39})\.([A-Za-z0-9_-]{43})$/;

/**
 * The tokens with which callers of gRPC prove who they are: `NAME.MAC`. The MAC is made of the name with a key that derives
 * from the coordinator's key, so nothing is stored or sent beside it. A token does not expire: clocks of machines may be wrong,
 * and the calls that would tell are these. It ends with the coordinator's key.
 */
export class RpcTokens {
  /** The key that signs, and others that verify. */
  private readonly keys: readonly Buffer[];
  /** MACs of the callers that are known by name, of which there are few. */
  private readonly known = new Map<string, readonly Buffer[]>();

  /**
   * @param coordinatorKey the setting, with one key or two
   * @param services callers whose tokens are verified without a computation
   */
  constructor(coordinatorKey: string, services: readonly string[] = []) {
    this.keys = keysFor('muster grpc calls', coordinatorKey);
    for (const name of services) this.known.set(name, this.macsOf(name));
  }

  /** The token of a caller. */
  of(name: string): string {
    const [mac] = this.macsOf(name);
    const token = `${name}.${mac?.toString('base64url') ?? ''}`;
    if (!form.test(token)) throw new RangeError(`${JSON.stringify(name)} is no name of a caller`);
    return token;
  }

  /** @returns the caller whom a token names; null if it is not genuine */
  callerOf(token: string): string | null {
    const [, name, text] = form.exec(token) ?? [];
    if (name === undefined || text === undefined) return null;
    const mac = Buffer.from(text, 'base64url');
    const macs = this.known.get(name) ?? this.macsOf(name);
    return macs.some((each) => timingSafeEqual(each, mac)) ? name : null;
  }

  private macsOf(name: string): readonly Buffer[] {
    return this.keys.map((key) => createHmac('sha256', key).update(name).digest());
  }
}
