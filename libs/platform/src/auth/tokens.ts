import { NotAuthenticated, PartyPassRefused, type ClientFacts } from '@muster/domain';
import { LRUCache } from 'lru-cache';
import { kidOf, tokenSigner, TokenVerifier, type Claims, type Jwks } from '../keys/jwt.js';
import { GivenKeys } from '../keys/fetched-keys.js';
import { guestPrefix } from '../logins/login-document.js';
import type { Login } from '../logins/login-rules.js';
import type { VouchedPlayer } from '../logins/logins.js';
import { readPlayerClaims } from '../logins/player-claims.js';
import { namedKeys } from './coordinator-keys.js';

/** The issuer of the coordinator's own tokens. */
export const ownIssuer = 'muster';
const audience = {
  server: 'muster-server',
  party: 'muster-party',
  join: 'muster-join',
  guest: 'muster-guest',
} as const;

/** Whether a token says that it is a server's. Nothing of it is proved. */
export const isServerToken = ({ iss, aud }: Claims): boolean => iss === ownIssuer && aud === audience.server;

/** The claims of a join token, which the server of a session verifies offline. */
export interface JoinClaim {
  readonly playerId: string;
  readonly matchId: string;
  readonly sessionId: string;
  readonly team: number;
}

/** A party member who has consented to be queued, with playable roles and client facts. */
export interface Consent extends VouchedPlayer, ClientFacts {
  readonly canPlay: readonly string[];
}

/** A registered server, as its token names it. */
export interface TokenServer {
  readonly serverId: string;
  readonly incarnation: number;
  /** The fleet key that registered it; null for SERVER_KEY. */
  readonly keyId: string | null;
  /** The same if its requests must be signed, else null. */
  readonly signsFor: string | null;
}

/** A server by a verified token. */
export interface VerifiedServer extends TokenServer {
  /** From when on a heartbeat is answered with a new token, in milliseconds since the epoch. */
  readonly renewAt: number;
}

/** A cache with expiry. An asymmetric signature costs a tenth of a millisecond. */
class ExpiringCache<T> {
  private readonly entries: LRUCache<string, { value: T; until: number }>;

  /** @param capacity beyond it, the least recently used entry is evicted */
  constructor(capacity: number) {
    this.entries = new LRUCache({ max: capacity });
  }

  /** @param now and `until` in milliseconds since the epoch */
  get(key: string, now: number, make: () => { value: T; until: number }): T {
    const known = this.entries.get(key);
    if (known && known.until > now) return known.value;
    const made = make();
    this.entries.set(key, made);
    return made.value;
  }
}

/** The lifetime of a join token; the same one is returned for the first half of it. */
const joinLifetimeMs = 600_000;
/** The lifetime of a guest's token: the device signs in again with what it keeps. */
const guestLifetimeMs = 86_400_000;
/**
 * How long the verification of a server's token is cached at most, and how many are. Its incarnation is checked at every use.
 * Servers call in turn, so a cache that holds fewer than all of them is of no use.
 */
const serverTokenMs = 600_000;
const serverTokensMax = 100_000;

/** Signs and verifies the coordinator's tokens (JWT, Ed25519). */
export class CoordinatorTokens {
  /** The public keys that verify the tokens. */
  readonly jwks: Jwks;
  private readonly signed: (claims: Claims) => string;
  private readonly verifier: TokenVerifier;
  private readonly joins = new ExpiringCache<string>(50_000);
  private readonly servers = new ExpiringCache<VerifiedServer>(serverTokensMax);
  private readonly renewed = new ExpiringCache<string>(10_000);
  private readonly kid: string;

  /** @param setting an Ed25519 key as a private JWK with a `kid`, or two with white space between: the first signs, all verify */
  constructor(setting: string) {
    const keys = namedKeys(setting);
    const [{ jwk, kid }] = keys;
    this.jwks = {
      keys: keys.map((key) => {
        const { d: _secret, ...open } = key.jwk;
        return { ...open, kid: key.kid, alg: 'EdDSA', use: 'sig' };
      }),
    };
    this.kid = kid;
    this.signed = tokenSigner(jwk, kid);
    this.verifier = new TokenVerifier(this.jwks);
  }

  /**
   * A server's token for one incarnation, which is checked against the store at each use.
   *
   * @param lifetimeMs from `now`; heartbeats of the second half renew it
   */
  serverToken(
    { serverId, incarnation, keyId, signsFor }: TokenServer,
    lifetimeMs: number,
    now: number,
  ): string {
    const renewAt = Math.ceil((now + lifetimeMs / 2) / 1000);
    const endsAt = Math.ceil((now + lifetimeMs) / 1000);
    const fleet = keyId === null ? {} : { key: keyId, ...(signsFor === null ? {} : { signs: true }) };
    return this.sign({ inc: incarnation, renew: renewAt, ...fleet }, serverId, audience.server, endsAt);
  }

  /**
   * A new token for a server whose token is in the second half of its life, never ends, or is signed by another key than the
   * present one; null for others. Servers that ignore it get the same one for a while: a signature costs a tenth of a millisecond.
   */
  renewal(server: VerifiedServer, lifetimeMs: number, now: number): string | null {
    if (now < server.renewAt) return null;
    return this.renewed.get(`${server.incarnation} ${server.serverId}`, now, () => ({
      value: this.serverToken(server, lifetimeMs, now),
      until: now + lifetimeMs / 4,
    }));
  }

  /** @param now in milliseconds since the epoch @throws NotAuthenticated with the reason */
  readServerToken(token: string, now: number): VerifiedServer {
    return this.servers.get(token, now, () => {
      const { sub, inc, renew, exp, key, signs } = this.read(token, audience.server, now);
      if (typeof sub !== 'string' || typeof inc !== 'number')
        throw new NotAuthenticated('The server token lacks its claims; register again.');
      // Those of release 0.2 have no end. Their incarnation ends them.
      const keyId = typeof key === 'string' ? key : null;
      const isPresent = typeof renew === 'number' && kidOf(token) === this.kid;
      const renewAt = isPresent ? renew * 1000 : Number.NEGATIVE_INFINITY;
      const endsAt = typeof exp === 'number' ? exp * 1000 : Infinity;
      return {
        value: { serverId: sub, incarnation: inc, renewAt, keyId, signsFor: signs === true ? keyId : null },
        until: Math.min(now + serverTokenMs, endsAt),
      };
    });
  }

  /**
   * A member's consent to be queued by a leader, reusable until it expires: a leader who cancels, or whose match is
   * remade, queues again without new passes. A member who wants to withdraw at any time joins a party instead and
   * leaves it.
   *
   * @returns the pass and its expiry (milliseconds since the epoch)
   */
  partyPass(
    { playerId, claims, canPlay, build, platform, crossPlay }: Consent,
    leader: string,
    now: number,
  ): { pass: string; expiresAt: number; reusable: true } {
    const expiresAt = now + 300_000;
    const said = {
      leader,
      muster: claims,
      ...(canPlay.length > 0 ? { roles: [...canPlay] } : {}),
      ...(build === undefined ? {} : { build }),
      ...(platform === undefined ? {} : { platform }),
      ...(crossPlay === false ? { crossPlay } : {}),
    };
    return {
      pass: this.sign(said, playerId, audience.party, Math.floor(expiresAt / 1000)),
      expiresAt,
      reusable: true,
    };
  }

  /**
   * @param now in milliseconds since the epoch
   * @returns the member who consented
   * @throws PartyPassRefused if the pass is expired, forged or for another leader
   */
  readPartyPass(pass: string, leader: string, now: number): Consent {
    const claims = this.passClaims(pass, now);
    if (claims['leader'] !== leader || typeof claims.sub !== 'string') {
      throw new PartyPassRefused(`A party pass was issued for a leader other than ${leader}.`);
    }
    const { sub, roles, build, platform } = claims;
    return {
      playerId: sub,
      claims: readPlayerClaims(claims['muster']) ?? {},
      canPlay: Array.isArray(roles) ? roles.map(String) : [],
      ...(typeof build === 'string' ? { build } : {}),
      ...(typeof platform === 'string' ? { platform } : {}),
      ...(claims['crossPlay'] === false ? { crossPlay: false } : {}),
    };
  }

  /** Signs a token with which a player joins a session; valid for ten minutes. */
  joinToken({ playerId, matchId, sessionId, team }: JoinClaim, now: number): string {
    const endsAt = Math.floor((now + joinLifetimeMs) / 1000);
    return this.joins.get(`${sessionId} ${playerId}`, now, () => ({
      value: this.sign({ match: matchId, session: sessionId, team }, playerId, audience.join, endsAt),
      until: now + joinLifetimeMs / 2,
    }));
  }

  /**
   * Signs a token with which a guest plays. It says that they are not verified.
   *
   * @param guest their id, without the prefix of guests
   * @returns the token and its expiry (milliseconds since the epoch)
   */
  guestToken(guest: string, now: number): { token: string; expiresAt: number } {
    const endsAt = Math.floor((now + guestLifetimeMs) / 1000);
    const said = { muster: { verified: false } };
    return { token: this.sign(said, guest, audience.guest, endsAt), expiresAt: endsAt * 1000 };
  }

  /** The login that {@link guestToken} is of. */
  guestLogin(): Login {
    return {
      name: guestPrefix,
      issuer: ownIssuer,
      algorithms: ['EdDSA'],
      audience: [audience.guest],
      require: {},
      clockToleranceSeconds: 0,
      longestSeconds: undefined,
      player: { claim: 'sub', prefix: guestPrefix, ids: 'as-is' },
      claims: {},
      keys: new GivenKeys(this.jwks, ['EdDSA']),
      taken: [],
    };
  }

  private passClaims(pass: string, now: number): Claims {
    try {
      return this.read(pass, audience.party, now);
    } catch {
      throw new PartyPassRefused(
        'A party pass is no longer valid. Ask the member for a new one (POST /v1/party-passes).',
      );
    }
  }

  private sign(claims: Claims, sub: string, aud: string, exp: number | null): string {
    return this.signed({ ...claims, sub, aud, iss: ownIssuer, ...(exp === null ? {} : { exp }) });
  }

  private read(token: string, to: string, now: number): Claims {
    return this.verifier.claimsOf(token, { now, audience: to, issuer: ownIssuer });
  }
}
