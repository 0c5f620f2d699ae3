import { NotAuthenticated } from '@muster/domain';
import { createDecoder, createSigner, createVerifier, TokenError } from 'fast-jwt';
import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';

/** Signature algorithms of tokens. */
export const tokenAlgorithms = ['EdDSA', 'ES256', 'RS256'] as const;
export type Algorithm = (typeof tokenAlgorithms)[number];

/** The keys of each algorithm. */
const fits: Readonly<Record<Algorithm, (key: Jwk) => boolean>> = {
  EdDSA: ({ kty, crv }) => kty === 'OKP' && crv === 'Ed25519',
  ES256: ({ kty, crv }) => kty === 'EC' && crv === 'P-256',
  // 2,048 bits at least (RFC 7518, 3.3).
  RS256: ({ kty, n }) => kty === 'RSA' && Buffer.from(n ?? '', 'base64url').length >= 256,
};

const decode = createDecoder({ complete: true }) as (token: string) => {
  header: Record<string, unknown>;
  payload: Record<string, unknown> | null;
};

/** The claims of a token. */
export type Claims = Readonly<Record<string, unknown>>;

/** A key as JSON (RFC 7517). */
export interface Jwk extends JsonWebKey {
  readonly kid?: string;
  readonly alg?: string;
  readonly use?: string;
  readonly key_ops?: readonly string[];
}

/** Public keys as JSON (RFC 7517). */
export interface Jwks {
  readonly keys: readonly Jwk[];
}

/** What a token must say beside its signature. */
export interface ClaimDemands {
  /** In milliseconds since the epoch. */
  readonly now: number;
  readonly issuer?: string | undefined;
  readonly audience?: string;
  readonly required?: readonly string[];
}

/**
 * Verifies tokens of a set of keys. Each key verifies one algorithm, whatever a token says.
 *
 * By `crypto.verify` in this thread (fast-jwt), not by WebCrypto (jose): handing a verification of a tenth of a
 * millisecond to another thread and back takes as long as the verification.
 */
export class TokenVerifier {
  private readonly keys: readonly {
    readonly kid: string | undefined;
    readonly algorithm: Algorithm;
    verify(token: string): unknown;
  }[];

  /** @param jwks keys of other kinds and purposes are ignored @throws TypeError if it is not a set of keys */
  constructor(
    jwks: Jwks,
    private readonly algorithms: readonly Algorithm[] = ['EdDSA'],
  ) {
    if (!Array.isArray(jwks.keys)) throw new TypeError('The JWKS has no list "keys".');
    this.keys = jwks.keys.flatMap((jwk) => {
      const algorithm = algorithms.find((each) => fits[each](jwk) && verifiesTokens(jwk, each));
      if (algorithm === undefined) return [];
      const verify = createVerifier({
        key: pem(createPublicKey({ key: jwk, format: 'jwk' })),
        algorithms: [algorithm],
        // Times are compared with the time that all processes share.
        ignoreExpiration: true,
        ignoreNotBefore: true,
      });
      return { kid: jwk.kid, algorithm, verify };
    });
  }

  /** Whether a key fits a token. Nothing of the token is proved. */
  hasKeyFor(token: string): boolean {
    try {
      return this.keysOf(decode(token).header).length > 0;
    } catch {
      return false;
    }
  }

  /** @throws NotAuthenticated with the reason */
  claimsOf(token: string, demands: ClaimDemands): Claims {
    let claims: Claims;
    try {
      const { header } = decode(token);
      if (!this.algorithms.some((each) => each === header['alg'])) throw new NotAuthenticated(this.malformed);
      claims = this.keyOf(header).verify(token) as Claims;
    } catch (error) {
      throw error instanceof NotAuthenticated
        ? error
        : new NotAuthenticated(isUntrusted(error) ? untrusted : this.malformed);
    }
    check(claims, demands);
    return claims;
  }

  /** The key that the header names; the only one if it names none. */
  private keyOf(header: Readonly<Record<string, unknown>>): (typeof this.keys)[number] {
    const keys = this.keysOf(header);
    const [key] = keys;
    if (!key) throw new NotAuthenticated(untrusted);
    if (keys.length > 1)
      throw new NotAuthenticated('Several trusted keys fit the token; name one by `kid` in its header.');
    return key;
  }

  private keysOf({ kid, alg }: Readonly<Record<string, unknown>>): typeof this.keys {
    return this.keys.filter((key) => key.algorithm === alg && (kid === undefined || key.kid === kid));
  }

  private get malformed(): string {
    return `The token is not a valid JWT (${this.algorithms.join(', ')}).`;
  }
}

/** What a token says, without any proof: to choose who verifies it. Empty if it cannot be read. */
export function claimsWithoutProof(token: string): Claims {
  try {
    const { payload } = decode(token);
    return typeof payload === 'object' && payload !== null ? payload : {};
  } catch {
    return {};
  }
}

/** @returns a function that signs claims with a private Ed25519 key */
export function tokenSigner(key: Jwk, kid: string): (claims: Claims) => string {
  const sign = createSigner({
    key: createPrivateKey({ key, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' }),
    algorithm: 'EdDSA',
    kid,
    noTimestamp: true,
  });
  return (claims) => sign({ ...claims });
}

const untrusted = 'The token is not signed by a trusted key.';
const pem = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();

function verifiesTokens({ use, alg, key_ops: operations }: Jwk, algorithm: Algorithm): boolean {
  return (
    (use === undefined || use === 'sig') &&
    (alg === undefined || alg === algorithm) &&
    (operations === undefined || operations.includes('verify'))
  );
}

function check(claims: Claims, { now, issuer, audience, required = [] }: ClaimDemands): void {
  const { iss, aud, nbf, exp } = claims;
  const seconds = now / 1000;
  const wrong = (claim: string): NotAuthenticated =>
    new NotAuthenticated(`The token’s claim "${claim}" is missing or invalid.`);
  const absent = required.find((claim) => !Object.hasOwn(claims, claim));
  if (absent !== undefined) throw wrong(absent);
  if (issuer !== undefined && iss !== issuer) throw wrong('iss');
  if (audience !== undefined && ![aud].flat().includes(audience)) throw wrong('aud');
  if (nbf !== undefined && typeof nbf !== 'number') throw wrong('nbf');
  if (nbf !== undefined && nbf > seconds)
    throw new NotAuthenticated('The token is not valid yet: its claim "nbf" is in the future.');
  if (exp === undefined) return;
  if (typeof exp !== 'number') throw wrong('exp');
  if (exp <= seconds) throw new NotAuthenticated('The token has expired; get a new one.');
}

function isUntrusted(error: unknown): boolean {
  const { invalidSignature, missingSignature } = TokenError.codes;
  return (
    error instanceof TokenError && [invalidSignature, missingSignature].some((code) => code === error.code)
  );
}
