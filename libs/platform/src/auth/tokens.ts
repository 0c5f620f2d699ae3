import { NotAuthenticated, PartyPassRefused, type ClientFacts } from '@muster/domain';
import { LRUCache } from 'lru-cache';
import { tokenSigner, TokenVerifier, type Claims, type Jwk, type Jwks } from '../keys/jwt.js';
import { GivenKeys } from '../keys/fetched-keys.js';
import { guestPrefix } from '../logins/login-document.js';
import type { Login } from '../logins/login-rules.js';
import type { VouchedPlayer } from '../logins/logins.js';
import { readPlayerClaims } from '../logins/player-claims.js';

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
 * How long the verification of a server's token is cached, and how many are. The token does not expire, and its
 * incarnation is checked at every use. Servers call in turn, so a cache that holds fewer than all of them is of no use.
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
  private readonly servers = new ExpiringCache<{ serverId: string; incarnation: number }>(serverTokensMax);

  /** @param privateJwk an Ed25519 key as a private JWK with a `kid` */
  constructor(privateJwk: string) {
    const jwk = JSON.parse(privateJwk) as Jwk;
    const { d: _secret, ...open } = jwk;
    const kid = jwk.kid ?? 'coordinator';
    this.jwks = { keys: [{ ...open, kid, alg: 'EdDSA', use: 'sig' }] };
    this.signed = tokenSigner(jwk, kid);
    this.verifier = new TokenVerifier(this.jwks);
  }

  /** A server's token for one incarnation, which is checked against the store at each use. */
  serverToken(serverId: string, incarnation: number): string {
    return this.sign({ inc: incarnation }, serverId, audience.server, null);
  }

  /** @param now in milliseconds since the epoch @throws NotAuthenticated with the reason */
  readServerToken(token: string, now: number): { serverId: string; incarnation: number } {
    return this.servers.get(token, now, () => {
      const { sub, inc } = this.read(token, audience.server, now);
      if (typeof sub !== 'string' || typeof inc !== 'number')
        throw new NotAuthenticated('The server token lacks its claims; register again.');
      return { value: { serverId: sub, incarnation: inc }, until: now + serverTokenMs };
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
