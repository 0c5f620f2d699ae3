import { NotAuthenticated } from '@muster/domain';
import { createDecoder, createSigner, createVerifier, TokenError } from 'fast-jwt';
import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';

/** Signature algorithms of tokens, all of them asymmetric: a key of ours can verify and not sign. */
export const tokenAlgorithms = ['EdDSA', 'ES256', 'ES384', 'RS256', 'PS256'] as const;
export type Algorithm = (typeof tokenAlgorithms)[number];

/** 2,048 bits at least (RFC 7518, 3.3). Verifying with more than 8,192 takes milliseconds. */
const rsa = ({ kty, n }: Jwk): boolean => {
  const bytes = Buffer.from(n ?? '', 'base64url').length;
  return kty === 'RSA' && bytes >= 256 && bytes <= 1_024;
};

/** The keys of each algorithm. */
const fits: Readonly<Record<Algorithm, (key: Jwk) => boolean>> = {
  EdDSA: ({ kty, crv }) => kty === 'OKP' && crv === 'Ed25519',
  ES256: ({ kty, crv }) => kty === 'EC' && crv === 'P-256',
  ES384: ({ kty, crv }) => kty === 'EC' && crv === 'P-384',
  RS256: rsa,
  PS256: rsa,
};

const decode = createDecoder({ complete: true }) as (token: string) => {
  header: Claims;
  payload: Claims | null;
};

/** The claims of a token, or the fields of its header. */
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

/** A public key that verifies tokens of one algorithm, whatever a token says. */
export interface TrustedKey {
  readonly kid: string | undefined;
  readonly algorithm: Algorithm;
  /** The key itself, by which two sets are compared. */
  readonly pem: string;
  /** @throws TokenError if another key signed the token */
  verify(token: string): unknown;
}

/**
 * The keys of a set that verify one of the algorithms; keys of other kinds and purposes are left out.
 *
 * By `crypto.verify` in this thread (fast-jwt), not by WebCrypto (jose): handing a verification of a tenth of a
 * millisecond to another thread and back takes as long as the verification.
 *
 * @param algorithms an RSA key without `alg` verifies the first of them that takes RSA
 * @throws TypeError if it is not a set of keys, or a key of it is malformed
 */
export function trustedKeys({ keys }: Jwks, algorithms: readonly Algorithm[]): readonly TrustedKey[] {
  if (!Array.isArray(keys)) throw new TypeError('The JWKS has no list "keys".');
  return keys.flatMap((jwk: Jwk) => {
    const algorithm = algorithms.find((each) => fits[each](jwk) && verifiesTokens(jwk, each));
    if (algorithm === undefined) return [];
    const key = pem(createPublicKey({ key: jwk, format: 'jwk' }));
    const verify = createVerifier({
      key,
      algorithms: [algorithm],
      // Times are compared with the time that all processes share.
      ignoreExpiration: true,
      ignoreNotBefore: true,
    });
    return [{ kid: jwk.kid, algorithm, pem: key, verify }];
  });
}

/**
 * The key that a header names by `kid` and `alg`; the only one of the algorithm if it names none.
 *
 * @returns undefined if no key fits @throws NotAuthenticated if several do
 */
export function keyFor(keys: readonly TrustedKey[], { kid, alg }: Claims): TrustedKey | undefined {
  const [key, other] = keys.filter(
    (each) => each.algorithm === alg && (kid === undefined || each.kid === kid),
  );
  if (other)
    throw new NotAuthenticated('Several trusted keys fit the token; name one by `kid` in its header.');
  return key;
}

/** A token in parts. Nothing of it is proved. */
export interface ReadToken {
  readonly header: Claims;
  readonly claims: Claims;
}

/** @returns null if it is not the form of a token */
export function readToken(token: string): ReadToken | null {
  try {
    const { header, payload } = decode(token);
    return isClaims(header) && isClaims(payload) ? { header, claims: payload } : null;
  } catch {
    return null;
  }
}

/** What a token says, without any proof: to choose who verifies it. Empty if it cannot be read. */
export const claimsWithoutProof = (token: string): Claims => readToken(token)?.claims ?? {};

const isClaims = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @throws NotAuthenticated if the token is not of the form, or of another algorithm */
export function readTokenOf(token: string, algorithms: readonly Algorithm[]): ReadToken {
  const read = readToken(token);
  if (!read || !algorithms.some((each) => each === read.header['alg']))
    throw new NotAuthenticated(malformed(algorithms));
  return read;
}

/** @returns the claims @throws NotAuthenticated if the key did not sign the token */
export function claimsProvedBy(key: TrustedKey, token: string): Claims {
  try {
    const claims = key.verify(token);
    if (isClaims(claims)) return claims;
  } catch (error) {
    if (isUntrusted(error)) throw new NotAuthenticated(untrusted);
  }
  throw new NotAuthenticated(malformed([key.algorithm]));
}

/** Verifies tokens of a set of keys. */
export class TokenVerifier {
  private readonly keys: readonly TrustedKey[];

  /** @param jwks see {@link trustedKeys} */
  constructor(
    jwks: Jwks,
    private readonly algorithms: readonly Algorithm[] = ['EdDSA'],
  ) {
    this.keys = trustedKeys(jwks, algorithms);
  }

  /** @throws NotAuthenticated with the reason */
  claimsOf(token: string, demands: ClaimDemands): Claims {
    const key = keyFor(this.keys, readTokenOf(token, this.algorithms).header);
    if (!key) throw new NotAuthenticated(untrusted);
    const claims = claimsProvedBy(key, token);
    checkClaims(claims, demands);
    return claims;
  }
}

/** The name of the key that a token says it is signed with. Nothing is proved. */
export function kidOf(token: string): unknown {
  try {
    return decode(token).header['kid'];
  } catch {
    return undefined;
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

export const untrusted = 'The token is not signed by a trusted key.';
const malformed = (algorithms: readonly Algorithm[]): string =>
  `The token is not a valid JWT (${algorithms.join(', ')}).`;
const pem = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();

function verifiesTokens({ use, alg, key_ops: operations }: Jwk, algorithm: Algorithm): boolean {
  return (
    (use === undefined || use === 'sig') &&
    (alg === undefined || alg === algorithm) &&
    (operations === undefined || operations.includes('verify'))
  );
}

/** @throws NotAuthenticated with the reason */
export function checkClaims(claims: Claims, { now, issuer, audience, required = [] }: ClaimDemands): void {
  const { iss, aud } = claims;
  const absent = required.find((claim) => !Object.hasOwn(claims, claim));
  if (absent !== undefined) throw wrong(absent);
  if (issuer !== undefined && iss !== issuer) throw wrong('iss');
  if (audience !== undefined && ![aud].flat().includes(audience)) throw wrong('aud');
  checkTimes(claims, now, 0);
}

/**
 * @param now in milliseconds since the epoch
 * @param toleranceSeconds how far the clock of the login may be off
 * @throws NotAuthenticated before `nbf` and from `exp` on
 */
export function checkTimes({ nbf, exp }: Claims, now: number, toleranceSeconds: number): void {
  const seconds = now / 1000;
  if (nbf !== undefined && typeof nbf !== 'number') throw wrong('nbf');
  if (nbf !== undefined && nbf > seconds + toleranceSeconds)
    throw new NotAuthenticated('The token is not valid yet: its claim "nbf" is in the future.');
  if (exp === undefined) return;
  if (typeof exp !== 'number') throw wrong('exp');
  if (exp <= seconds - toleranceSeconds) throw new NotAuthenticated('The token has expired; get a new one.');
}

export const wrong = (claim: string): NotAuthenticated =>
  new NotAuthenticated(`The token’s claim "${claim}" is missing or invalid.`);

function isUntrusted(error: unknown): boolean {
  const { invalidSignature, missingSignature } = TokenError.codes;
  return (
    error instanceof TokenError && [invalidSignature, missingSignature].some((code) => code === error.code)
  );
}
