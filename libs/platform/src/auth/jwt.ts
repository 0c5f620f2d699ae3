import { NotAuthenticated } from '@muster/domain';
import { createDecoder, createSigner, createVerifier, TokenError } from 'fast-jwt';
import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';

const algorithm = 'EdDSA';
const decode = createDecoder({ complete: true }) as (token: string) => { header: Record<string, unknown> };

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
 * Verifies tokens of a set of Ed25519 keys.
 *
 * By `crypto.verify` in this thread (fast-jwt), not by WebCrypto (jose): handing a verification of a tenth of a
 * millisecond to another thread and back takes as long as the verification.
 */
export class TokenVerifier {
  private readonly keys: readonly { readonly kid: string | undefined; verify(token: string): unknown }[];

  /** @param jwks keys of other kinds and purposes are ignored @throws TypeError if it is not a set of keys */
  constructor(jwks: Jwks) {
    if (!Array.isArray(jwks.keys)) throw new TypeError('The JWKS has no list "keys".');
    this.keys = jwks.keys.filter(verifiesTokens).map((jwk) => ({
      kid: jwk.kid,
      verify: createVerifier({
        key: pem(createPublicKey({ key: jwk, format: 'jwk' })),
        algorithms: [algorithm],
        // Times are compared with the time that all processes share.
        ignoreExpiration: true,
        ignoreNotBefore: true,
      }),
    }));
  }

  /** @throws NotAuthenticated with the reason */
  claimsOf(token: string, demands: ClaimDemands): Claims {
    let claims: Claims;
    try {
      const { header } = decode(token);
      if (header['alg'] !== algorithm) throw new NotAuthenticated(malformed);
      claims = this.keyOf(header).verify(token) as Claims;
    } catch (error) {
      throw error instanceof NotAuthenticated ? error : new NotAuthenticated(reasonOf(error));
    }
    check(claims, demands);
    return claims;
  }

  /** The key that the header names; the only one if it names none. */
  private keyOf({ kid }: Readonly<Record<string, unknown>>): (typeof this.keys)[number] {
    const keys = kid === undefined ? this.keys : this.keys.filter((key) => key.kid === kid);
    const [key] = keys;
    if (!key) throw new NotAuthenticated(untrusted);
    if (keys.length > 1)
      throw new NotAuthenticated('Several trusted keys fit the token; name one by `kid` in its header.');
    return key;
  }
}

/** @returns a function that signs claims with a private Ed25519 key */
export function tokenSigner(key: Jwk, kid: string): (claims: Claims) => string {
  const sign = createSigner({
    key: createPrivateKey({ key, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' }),
    algorithm,
    kid,
    noTimestamp: true,
  });
  return (claims) => sign({ ...claims });
}

const untrusted = 'The token is not signed by a trusted key.';
const malformed = 'The token is not a valid JWT (EdDSA).';
const pem = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();

function verifiesTokens({ kty, crv, use, alg, key_ops: operations }: Jwk): boolean {
  return (
    kty === 'OKP' &&
    crv === 'Ed25519' &&
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

function reasonOf(error: unknown): string {
  const { invalidSignature, missingSignature } = TokenError.codes;
  return error instanceof TokenError &&
    [invalidSignature, missingSignature].some((code) => code === error.code)
    ? untrusted
    : malformed;
}
