import { isReservedId, NotAuthenticated, reservedIdPrefixes } from '@muster/domain';
import { valueAt } from '../keys/claim-path.js';
import type { LoginKeys } from '../keys/fetched-keys.js';
import { checkTimes, wrong, type Claims } from '../keys/jwt.js';
import type { LoginSettings } from './login-document.js';
import { mappedClaims } from './mapped-claims.js';
import { readTold, type ToldPlayer } from './player-claims.js';
import { isPlayerId, playerIdOf } from './player-ids.js';

/** A login with its keys. */
export interface Login extends Pick<
  LoginSettings,
  'name' | 'algorithms' | 'require' | 'clockToleranceSeconds' | 'longestSeconds' | 'claims'
> {
  /** Null takes tokens of issuers that no other login has. */
  readonly issuer: string | null;
  /** Null: `muster`, if a token names any. */
  readonly audience: readonly string[] | null;
  readonly player: { readonly claim: string; readonly prefix: string; readonly ids: 'escaped' | 'as-is' };
  readonly keys: LoginKeys;
  /** How ids of other logins begin, with which those of this one cannot. */
  readonly taken: readonly string[];
}

/** What a token must say beside its signature. */
export interface Rule {
  readonly name: string;
  /** @param now in milliseconds since the epoch @throws NotAuthenticated with the reason */
  readonly check: (login: Login, claims: Claims, now: number) => unknown;
}

/** Seconds since the epoch at the end of the year 9999: the last that a date of four digits can name. */
const lastSecond = 253_402_300_799;

/** In the order in which they are checked. */
export const claimRules: readonly Rule[] = [
  {
    name: 'issuer',
    check: ({ issuer }, { iss }) => {
      if (issuer !== null && iss !== issuer) throw wrong('iss');
    },
  },
  {
    name: 'times',
    check: ({ clockToleranceSeconds }, claims, now) => {
      if (!Object.hasOwn(claims, 'exp')) throw wrong('exp');
      checkTimes(claims, now, clockToleranceSeconds);
      if (!(Number(claims['exp']) <= lastSecond))
        throw new NotAuthenticated(
          'The token’s `exp` is not a time: give seconds since the epoch; the latest is the end of the year 9999.',
        );
    },
  },
  { name: 'lifetime', check: checkLifetime },
  { name: 'audience', check: checkAudience },
  { name: 'required claims', check: checkRequired },
];

/** The time from issue to expiry; an `iat` in the future counts as now. */
function checkLifetime(
  { longestSeconds, clockToleranceSeconds }: Login,
  { iat, exp }: Claims,
  now: number,
): void {
  if (longestSeconds === undefined) return;
  const issued = typeof iat === 'number' ? iat : now / 1000;
  if (Number(exp) - Math.min(issued, now / 1000) > longestSeconds + clockToleranceSeconds)
    throw new NotAuthenticated(
      `The token is valid for more than ${longestSeconds} s; get one with a shorter lifetime.`,
    );
}

function checkAudience({ audience }: Login, { aud }: Claims): void {
  if (audience === null && aud === undefined) return;
  const wanted: readonly unknown[] = audience ?? ['muster'];
  if ([aud].flat().some((each) => wanted.includes(each))) return;
  if (aud === undefined) throw wrong('aud');
  throw new NotAuthenticated(
    `The token is meant for another audience than ${wanted.map((each) => `"${String(each)}"`).join(' or ')}.`,
  );
}

function checkRequired({ require }: Login, claims: Claims): void {
  for (const [claim, wanted] of Object.entries(require)) {
    const values: readonly unknown[] = [wanted].flat();
    if (![valueAt(claims, claim)].flat().some((each) => values.includes(each))) throw wrong(claim);
  }
}

/** @returns the player’s id @throws NotAuthenticated with the reason */
export function playerOf({ player: { claim, prefix, ids }, taken }: Login, claims: Claims): string {
  const said = valueAt(claims, claim);
  if (said === undefined) throw wrong(claim);
  const refused = (why: string): NotAuthenticated => new NotAuthenticated(`The token’s \`${claim}\` ${why}`);
  if (typeof said !== 'string') throw refused('is not a player id: a string is needed.');
  const asIs = ids === 'as-is';
  const playerId = asIs ? (prefix === '' ? said : `${prefix}:${said}`) : playerIdOf(said, prefix);
  if (playerId === null || !isPlayerId(playerId))
    throw refused(
      asIs
        ? 'is not a player id: a string of letters, digits and _ . : @ - (64 at most).'
        : 'is not a player id: it is empty or not well-formed text.',
    );
  if (isReservedId(playerId))
    throw refused(
      `must not begin with ${reservedIdPrefixes.join(' or ')}: these prefixes are reserved for bots and erased players.`,
    );
  const other = taken.find((begin) => playerId.startsWith(begin));
  if (other !== undefined) throw refused(`must not begin with ${other}: ids of another login do.`);
  return playerId;
}

/** @returns what the login says of the player @throws NotAuthenticated with the reason */
export function toldBy({ claims: map }: Login, claims: Claims): ToldPlayer {
  const told = readTold(claims['muster']);
  if (!told)
    throw new NotAuthenticated(
      'The token’s claim "muster" is invalid: verified is a boolean, playMinutes a number, accountCreatedAt milliseconds since the epoch, entitlements a list of names, platform a name, name a text; other fields are not allowed.',
    );
  const { claims: mapped, ...more } = mappedClaims(claims, map);
  return { ...told, ...more, claims: { ...told.claims, ...mapped } };
}
