import { own } from '@muster/domain';
import { PlatformName } from '@muster/domain/schemas';
import { valueAt } from '../keys/claim-path.js';
import type { Claims } from '../keys/jwt.js';
import type { ClaimsMap } from './login-document.js';
import { Entitlement, mostEntitlements, shown, type ToldPlayer } from './player-claims.js';

const minutesOf = { seconds: 1 / 60, minutes: 1, hours: 60 } as const;
/** Numbers below it are seconds since the epoch, those from it on milliseconds: the year 5138, and 1973. */
const leastMs = 100_000_000_000;

/**
 * What a token says of its player in claims that are named otherwise. A claim that is missing or of another form says
 * nothing, and so never more than was signed: the player is then unverified, new, or without the entitlement.
 */
export function mappedClaims(claims: Claims, map: ClaimsMap): ToldPlayer {
  const at = (claim: string): unknown => valueAt(claims, claim);
  const { verified, playMinutes, accountCreatedAt, name, platform, entitlements } = map;
  const told = {
    ...(verified && {
      verified: isAmong(at(verified.claim), 'is' in verified ? verified.is : [true, 'true']),
    }),
    ...(playMinutes && minutes(at(playMinutes.claim), 'unit' in playMinutes ? playMinutes.unit : 'minutes')),
    ...(accountCreatedAt !== undefined && createdAt(at(accountCreatedAt))),
    ...(entitlements && {
      entitlements: entitlementsOf(
        at(entitlements.claim),
        'values' in entitlements ? entitlements.values : null,
      ),
    }),
  };
  return {
    claims: told,
    ...(name === undefined ? {} : shown(at(name))),
    ...(platform && platformOf(at(platform.claim), 'values' in platform ? platform.values : null)),
  };
}

const isAmong = (value: unknown, values: readonly unknown[]): boolean =>
  [value].flat().some((each) => values.includes(each));

function minutes(value: unknown, unit: keyof typeof minutesOf): { readonly playMinutes?: number } {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number) || number < 0) return {};
  return { playMinutes: number * minutesOf[unit] };
}

/** Seconds or milliseconds since the epoch, or a date. */
function createdAt(value: unknown): { readonly accountCreatedAt?: number } {
  const number = typeof value === 'string' ? Date.parse(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return {};
  return {
    accountCreatedAt: Math.round(number < leastMs && typeof value === 'number' ? number * 1_000 : number),
  };
}

type Names = Readonly<Record<string, string>> | null;
const named = (value: unknown, names: Names): unknown =>
  names === null || typeof value !== 'string' ? value : own(names, value);

function platformOf(value: unknown, names: Names): { readonly platform?: string } {
  const read = PlatformName.safeParse(named(value, names));
  return read.success ? { platform: read.data } : {};
}

/** Of a list, or of a text with spaces between, as `scope` has them. */
function entitlementsOf(value: unknown, names: Names): string[] {
  const given = typeof value === 'string' ? value.split(' ') : Array.isArray(value) ? value : [];
  const known = given.flatMap((each: unknown) => {
    const read = Entitlement.safeParse(named(each, names));
    return read.success ? [read.data] : [];
  });
  return [...new Set(known)].slice(0, mostEntitlements);
}
