import { fleetKeyId, fleetKeyPrefix, serverKeyPurpose } from '@muster/contracts';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { keysFor } from './coordinator-keys.js';

/**
 * The keys of fleets, derived from the coordinator's key and their ids. Who reads the database cannot make one, and nothing has to
 * be stored or distributed. During a rotation of the coordinator's key those of both are accepted.
 */
export class FleetSecrets {
  private readonly keys: readonly [Buffer, ...Buffer[]];

  /** @param setting COORDINATOR_KEY */
  constructor(setting: string) {
    this.keys = keysFor('muster fleet keys', setting);
  }

  /** The key with an id such as `flk_` and 22 characters, as its holder gets it. */
  keyOf(keyId: string): string {
    return derive(this.keys[0], keyId);
  }

  /** The id of a key; null unless it is genuine. Compared in constant time. */
  idOf(key: string): string | null {
    const keyId = fleetKeyId(key);
    if (keyId === null) return null;
    const given = Buffer.from(key);
    const isGenuine = this.keys.some((each) => timingSafeEqual(given, Buffer.from(derive(each, keyId))));
    return isGenuine ? keyId : null;
  }

  /** What signatures with a fleet's key, or with the key of a server of it, are made with; one for each key of the coordinator. */
  signingKeys(keyId: string, serverId: string | null): readonly Buffer[] {
    return this.keys.map((each) => {
      const key = Buffer.from(derive(each, keyId));
      return serverId === null ? key : createHmac('sha256', key).update(serverKeyPurpose(serverId)).digest();
    });
  }
}

function derive(key: Buffer, keyId: string): string {
  const secret = createHmac('sha256', key).update(keyId).digest('base64url');
  return `${fleetKeyPrefix}${keyId.slice(keyId.indexOf('_') + 1)}${secret}`;
}
