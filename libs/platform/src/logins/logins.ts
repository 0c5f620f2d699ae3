import { NotAuthenticated } from '@muster/domain';
import { LRUCache } from 'lru-cache';
import { FetchedKeys, GivenKeys, type LoginKeys } from '../keys/fetched-keys.js';
import type { Fetch } from '../keys/fetch-json.js';
import { claimsProvedBy, readTokenOf, tokenAlgorithms, type Jwks, type TrustedKey } from '../keys/jwt.js';
import { KeyReader } from '../keys/key-reader.js';
import type { LoginSettings } from './login-document.js';
import { claimRules, playerOf, toldBy, type Login } from './login-rules.js';
import type { ToldPlayer } from './player-claims.js';

/** A player as a login vouches for them. */
export interface VouchedPlayer extends ToldPlayer {
  readonly playerId: string;
}

/** The rest of the process, as far as logins need it. */
export interface LoginSurroundings {
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
  /** Gets errors of reading a login's keys. */
  readonly onError: (login: string, error: unknown) => void;
  readonly pause?: (ms: number) => Promise<unknown>;
  readonly fetch?: Fetch;
}

/** A verified token. */
interface Seen {
  readonly player: VouchedPlayer;
  readonly keys: LoginKeys;
  readonly generation: number;
  /** In milliseconds since the epoch. */
  readonly until: number;
}

/**
 * Verified tokens that are remembered: an asymmetric signature costs up to half a millisecond. Tokens of some logins have a
 * thousand characters and more, so their length counts as well.
 */
const mostSeen = 50_000;
const mostCharacters = 32 * 1024 * 1024;

/**
 * Verifies players' tokens, which the logins of the game sign. A token chooses its login by `iss`. What was verified is
 * remembered until the token expires or its key is no longer trusted.
 */
export class Logins {
  private readonly seen = new LRUCache<string, Seen>({
    max: mostSeen,
    maxSize: mostCharacters,
    sizeCalculation: (_, token) => token.length,
  });
  private readonly byIssuer: ReadonlyMap<string | null, Login>;

  /** @param all with different issuers, of which one may be null */
  constructor(readonly all: readonly Login[]) {
    this.byIssuer = new Map(all.map((login) => [login.issuer, login]));
  }

  /** The player of a token that was verified before. */
  known(token: string, now: number): VouchedPlayer | undefined {
    const seen = this.seen.get(token);
    return seen && seen.until > now && seen.generation === seen.keys.generation ? seen.player : undefined;
  }

  /**
   * A promise only where a login must be asked for its keys.
   *
   * @param now in milliseconds since the epoch
   * @throws NotAuthenticated with the reason, LoginUnavailable while keys cannot be read
   */
  playerOf(token: string, now: number): VouchedPlayer | Promise<VouchedPlayer> {
    const known = this.known(token, now);
    if (known) return known;
    const { header, claims } = readTokenOf(token, tokenAlgorithms);
    const login = this.loginOf(claims['iss']);
    checkAlgorithm(login, header['alg']);
    const key = login.keys.find(header);
    if (key) return this.verified(login, key, token, now);
    return login.keys.seek(header).then((sought) => this.verified(login, sought, token, now));
  }

  /** @throws NotAuthenticated if no login has the issuer */
  loginOf(issuer: unknown): Login {
    const login =
      (typeof issuer === 'string' ? this.byIssuer.get(issuer) : undefined) ?? this.byIssuer.get(null);
    if (login) return login;
    throw new NotAuthenticated(
      issuer === undefined
        ? 'The token’s claim "iss" is missing: it names the login.'
        : 'The token’s claim "iss" names no login that is trusted here.',
    );
  }

  private verified(login: Login, key: TrustedKey, token: string, now: number): VouchedPlayer {
    const { keys, clockToleranceSeconds } = login;
    const { generation } = keys;
    const claims = claimsProvedBy(key, token);
    for (const { check } of claimRules) check(login, claims, now);
    const player = { playerId: playerOf(login, claims), ...toldBy(login, claims) };
    const until = (Number(claims['exp']) + clockToleranceSeconds) * 1000;
    this.seen.set(token, { player, keys, generation, until });
    return player;
  }
}

/** @throws NotAuthenticated if the login does not sign by this algorithm */
export function checkAlgorithm({ algorithms }: Login, alg: unknown): void {
  if (!algorithms.some((each) => each === alg))
    throw new NotAuthenticated(`The token is not a valid JWT of its login (${algorithms.join(', ')}).`);
}

/** The logins of a document. */
export function loginsOf(
  settings: readonly LoginSettings[],
  surroundings: LoginSurroundings,
): readonly Login[] {
  return settings.map((login) => ({
    ...login,
    audience: login.audience === undefined ? null : [login.audience].flat(),
    player: { ...login.player, prefix: login.player.prefix ?? '' },
    keys: keysOf(login, surroundings),
    taken: [],
  }));
}

/**
 * The login of `PLAYER_JWKS`, `PLAYER_ISSUER` and `PLAYER_TOKEN_SECONDS`. It signs with EdDSA, as it did before there were others: a set of
 * keys may have more, which sign for somebody else.
 */
export function loginOfSettings(
  jwks: string,
  {
    issuer,
    longestSeconds,
  }: { readonly issuer?: string | undefined; readonly longestSeconds?: number | undefined },
): Login {
  return {
    name: 'login',
    issuer: issuer ?? null,
    algorithms: ['EdDSA'],
    audience: null,
    require: {},
    clockToleranceSeconds: 0,
    longestSeconds,
    player: { claim: 'sub', prefix: '', ids: 'as-is' },
    claims: {},
    keys: new GivenKeys(JSON.parse(jwks) as Jwks, ['EdDSA']),
    taken: [],
  };
}

/** Keeps ids of logins without a prefix apart from those of logins with one. */
export function keptApart(logins: readonly Login[]): readonly Login[] {
  const begins = logins.flatMap(({ player: { prefix } }) => (prefix === '' ? [] : [`${prefix}:`]));
  return logins.map((login) => (login.player.prefix === '' ? { ...login, taken: begins } : login));
}

function keysOf(
  { name, issuer, keys, algorithms }: LoginSettings,
  surroundings: LoginSurroundings,
): LoginKeys {
  if ('jwks' in keys) return new GivenKeys(keys.jwks, algorithms);
  const { elapsed, onError, fetch: send, ...rest } = surroundings;
  const place = 'url' in keys ? { url: new URL(keys.url) } : { discover: issuer };
  const fetched = new FetchedKeys(new KeyReader(place, elapsed, keys.allowHttp, send), algorithms, {
    ...rest,
    elapsed,
    onError: (error) => onError(name, error),
  });
  // The first tokens need not wait then.
  fetched.refresh();
  return fetched;
}
