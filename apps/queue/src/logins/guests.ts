import type { Guest } from '@muster/contracts';
import { GuestsOff, type Clock } from '@muster/domain';

/** Signs tokens of guests. */
interface Signer {
  guestToken(guest: string, now: number): { readonly token: string; readonly expiresAt: number };
}

/** Makes players of devices, for prototypes that have no login yet. Nothing is stored: a device is always the same guest. */
export class Guests {
  /**
   * @param idOf a one-way function: players see each other's ids, and the secret of a device must not follow from one
   * @param prefix of the ids of guests
   */
  constructor(
    private readonly isOn: boolean,
    private readonly signer: Signer,
    private readonly clock: Clock,
    private readonly idOf: (deviceId: string) => string,
    private readonly prefix: string,
  ) {}

  /** @throws GuestsOff unless the operator takes guests */
  signIn(deviceId: string): Guest {
    if (!this.isOn)
      throw new GuestsOff(
        'Guests are not taken here: sign in at the login of the game (setting GUEST_LOGIN).',
      );
    const guest = this.idOf(deviceId);
    return { playerId: `${this.prefix}:${guest}`, ...this.signer.guestToken(guest, this.clock.now()) };
  }
}
