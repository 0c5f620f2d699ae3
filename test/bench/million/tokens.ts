import { readKeys } from '@muster/embedded';
import { tokenSigner, type Jwk } from '../../../libs/platform/src/keys/jwt.js';
import { CoordinatorTokens } from '../../../libs/platform/src/auth/tokens.js';
import type { Arrival } from './arrivals.js';

/** What a ticket is made with. */
export interface Consent {
  readonly token: string;
  readonly partyPasses: readonly string[];
}

const lifetimeSeconds = 21_600;

export const arrivingPlayer = (n: number): string => `come-${n}`;

/**
 * Signs what players and servers show, with the keys of a data directory: hundreds of thousands of calls would take longer
 * than the load.
 */
export class Signatures {
  private readonly coordinator: CoordinatorTokens;
  private readonly signed: ReturnType<typeof tokenSigner>;

  private constructor(login: Jwk, coordinator: string) {
    this.coordinator = new CoordinatorTokens(coordinator);
    this.signed = tokenSigner(login, login.kid ?? 'login');
  }

  static async of(dataDir: string): Promise<Signatures> {
    const { login, coordinator } = await readKeys(dataDir);
    return new Signatures(JSON.parse(login) as Jwk, coordinator);
  }

  /** The token of a server's first registration. */
  server(serverId: string): string {
    return this.coordinator.serverToken(
      { serverId, incarnation: 1, keyId: null, signsFor: null },
      31_536_000_000,
      Date.now(),
    );
  }

  /** @param at when it arrives, milliseconds since the epoch */
  ticket({ first, players }: Arrival, at: number): Consent {
    const leader = arrivingPlayer(first);
    const partyPasses = Array.from({ length: players - 1 }, (_, i) => {
      const member = { playerId: arrivingPlayer(first + i + 1), claims: {}, canPlay: [] };
      return this.coordinator.partyPass(member, leader, at).pass;
    });
    const iat = Math.floor(Date.now() / 1000);
    return {
      token: this.signed({ sub: leader, aud: 'muster', iat, exp: iat + lifetimeSeconds }),
      partyPasses,
    };
  }
}
