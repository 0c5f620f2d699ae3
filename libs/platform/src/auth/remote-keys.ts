import { NotAuthenticated } from '@muster/domain';
import { createRemoteJWKSet, type RemoteJWKSet } from 'jose';
import {
  TokenVerifier,
  tokenAlgorithms,
  type Algorithm,
  type ClaimDemands,
  type Claims,
  type Jwks,
} from './jwt.js';

/** How often keys are read again, and how soon after a read an unknown key may cause another one, in milliseconds. */
const freshMs = 600_000;
const cooldownMs = 30_000;
/** The pause after a provider that did not answer. */
const retryMs = 5_000;

/** Verifies tokens of an issuer whose keys are given, or published at an address. */
export interface IssuerKeys {
  /** @throws NotAuthenticated with the reason */
  claimsOf(token: string, demands: ClaimDemands): Promise<Claims>;
}

/**
 * The keys that an identity provider publishes. They are read when they are needed and older than ten minutes, and when a token
 * names an unknown key, so that a rotation needs no restart. Known keys stay valid while the provider does not answer.
 */
export class RemoteKeys implements IssuerKeys {
  private readonly remote: RemoteJWKSet;
  private verifier: TokenVerifier | null = null;
  private failedAt = Number.NEGATIVE_INFINITY;

  /**
   * @param elapsed milliseconds of a monotonic clock
   * @param onError gets errors of reading the keys
   */
  constructor(
    url: URL,
    private readonly algorithms: readonly Algorithm[],
    private readonly elapsed: () => number,
    private readonly onError: (error: unknown) => void,
  ) {
    this.remote = createRemoteJWKSet(url, { cacheMaxAge: freshMs, cooldownDuration: cooldownMs });
  }

  async claimsOf(token: string, demands: ClaimDemands): Promise<Claims> {
    if (!this.remote.fresh) await this.read();
    else if (!this.remote.coolingDown && !this.verifier?.hasKeyFor(token)) await this.read();
    if (!this.verifier)
      throw new NotAuthenticated(
        'The keys of the identity provider cannot be read right now; try again later.',
      );
    return this.verifier.claimsOf(token, demands);
  }

  /** Keys that cannot be read are reported; those that are known stay. */
  private async read(): Promise<void> {
    if (this.elapsed() - this.failedAt < retryMs) return;
    try {
      await this.remote.reload();
      const keys = this.remote.jwks();
      if (keys) this.verifier = new TokenVerifier(keys as Jwks, this.algorithms);
    } catch (error) {
      this.failedAt = this.elapsed();
      this.onError(error);
    }
  }
}

/** Keys that are part of the settings. */
export class GivenKeys implements IssuerKeys {
  private readonly verifier: TokenVerifier;

  constructor(jwks: Jwks, algorithms: readonly Algorithm[]) {
    this.verifier = new TokenVerifier(jwks, algorithms);
  }

  async claimsOf(token: string, demands: ClaimDemands): Promise<Claims> {
    return this.verifier.claimsOf(token, demands);
  }
}

/** The keys of an issuer: at an `http` address, or as JSON. */
export function issuerKeys(keys: string, onError: (error: unknown) => void): IssuerKeys {
  return isAddress(keys)
    ? new RemoteKeys(new URL(keys), tokenAlgorithms, () => performance.now(), onError)
    : new GivenKeys(JSON.parse(keys) as Jwks, tokenAlgorithms);
}

/** Whether keys are given by the address that publishes them. */
export const isAddress = (keys: string): boolean => /^https?:\/\//.test(keys);
