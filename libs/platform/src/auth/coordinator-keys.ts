import { own } from '@muster/domain';
import { createHmac } from 'node:crypto';
import { tokenSigner, type Jwk } from '../keys/jwt.js';

/** Where one private JWK ends and the next begins. A JWK is flat, so no other place of it looks like this. */
const between = /(?<=\})\s+(?=\{)/;

/**
 * The private JWKs in `COORDINATOR_KEY`: one, or two with white space between them during a rotation. The first signs, all
 * verify.
 *
 * @returns their texts, at least one
 */
export function coordinatorKeys(setting: string): readonly [string, ...string[]] {
  const [first = '', ...others] = setting.trim().split(between);
  return [first, ...others];
}

/** A key of the coordinator, with the name that tokens call it by. */
export interface CoordinatorKey {
  readonly kid: string;
  readonly jwk: Jwk;
}

const defaultKid = 'coordinator';

/**
 * Reads COORDINATOR_KEY: a private Ed25519 key as a JWK, or two during a rotation, with white space between them. The first
 * signs, all verify.
 *
 * @throws Error without a usable key, or when two keys have one name: their tokens could not be told apart
 */
export function namedKeys(setting: string): readonly [CoordinatorKey, ...CoordinatorKey[]] {
  const [first, ...others] = coordinatorKeys(setting);
  const keys = [named(first), ...others.map(named)] as const;
  if (new Set(keys.map(({ kid }) => kid)).size < keys.length)
    throw new Error('The keys of COORDINATOR_KEY have the same `kid`; give each its own.');
  return keys;
}

function named(text: string): CoordinatorKey {
  const jwk = JSON.parse(text) as Jwk;
  const kid = jwk.kid ?? defaultKid;
  tokenSigner(jwk, kid);
  return { kid, jwk };
}

/** A key for one purpose, which says nothing about the coordinator's key. All replicas derive the same. */
export function keyFor(purpose: string, setting: string): Buffer {
  return keysFor(purpose, setting)[0];
}

/** Such keys of all of the coordinator's keys: the first makes, all are accepted. */
export function keysFor(purpose: string, setting: string): readonly [Buffer, ...Buffer[]] {
  const [first, ...others] = coordinatorKeys(setting);
  const derived = (text: string): Buffer => createHmac('sha256', secretOf(text)).update(purpose).digest();
  return [derived(first), ...others.map(derived)];
}

/** The secret part of a private JWK. */
function secretOf(privateJwk: string): string {
  const jwk = JSON.parse(privateJwk) as Readonly<Record<string, unknown>>;
  const secret = own(jwk, 'd');
  if (typeof secret !== 'string') throw new Error('COORDINATOR_KEY has no private part "d".');
  return secret;
}
