import { NotAuthenticated, PartyPassRefused, type ClientFacts, type PlayerClaims } from '@muster/domain';
import {
  createLocalJWKSet,
  errors,
  importJWK,
  jwtVerify,
  SignJWT,
  type CryptoKey,
  type JSONWebKeySet,
  type JWK,
  type JWTPayload,
} from 'jose';
import { LRUCache } from 'lru-cache';
import { readPlayerClaims } from './player-claims.js';

const algorithm = 'EdDSA';
const audience = { server: 'muster-server', party: 'muster-party', join: 'muster-join' };

/** The claims of a join token, which the server of a session verifies offline. */
export interface JoinClaim {
  readonly playerId: string;
  readonly matchId: string;
  readonly sessionId: string;
  readonly team: number;
}

/** A player with the claims of the game's login. */
export interface VouchedPlayer {
  readonly playerId: string;
  readonly claims: PlayerClaims;
}

/** A party member who has consented to be queued, with playable roles and client facts. */
export interface Consent extends VouchedPlayer, ClientFacts {
  readonly canPlay: readonly string[];
}

/** A cache of asynchronous results with expiry. An asymmetric signature costs a quarter of a millisecond. */
class ExpiringCache<T> {
  private readonly entries: LRUCache<string, { value: Promise<T>; until: number }>;

  /** @param capacity beyond it, the least recently used entry is evicted */
  constructor(capacity: number) {
    this.entries = new LRUCache({ max: capacity });
  }

  /** @param now and until in milliseconds since the epoch */
  get(key: string, now: number, until: number, make: () => Promise<T>): Promise<T> {
    const known = this.entries.get(key);
    if (known && known.until > now) return known.value;
    const value = make();
    this.entries.set(key, { value, until });
    // Rejections are not cached.
    value.catch(() => this.entries.delete(key));
    return value;
  }
}

/** The lifetime of a join token; the same one is returned for the first half of it. */
const joinLifetimeMs = 600_000;
/** How long the verification of a server's token is cached. Its incarnation is checked at every use. */
const serverTokenMs = 60_000;

/** Signs and verifies the coordinator's tokens (JWT, Ed25519). */
export class CoordinatorTokens {
  private readonly keys: ReturnType<typeof createLocalJWKSet>;
  private readonly joins = new ExpiringCache<string>(50_000);
  private readonly servers = new ExpiringCache<{ serverId: string; incarnation: number }>(10_000);

  private constructor(
    private readonly key: CryptoKey | Uint8Array,
    /** The public keys that verify the tokens. */
    readonly jwks: JSONWebKeySet,
    private readonly kid: string,
  ) {
    this.keys = createLocalJWKSet(jwks);
  }

  /** @param privateJwk an Ed25519 key as a private JWK with a `kid` */
  static async from(privateJwk: string): Promise<CoordinatorTokens> {
    const jwk = JSON.parse(privateJwk) as JWK;
    const { d: _secret, ...open } = jwk;
    const kid = jwk.kid ?? 'coordinator';
    return new CoordinatorTokens(
      await importJWK(jwk, algorithm),
      { keys: [{ ...open, kid, alg: algorithm, use: 'sig' }] },
      kid,
    );
  }

  /** A server's token for one incarnation, which is checked against the store at each use. */
  serverToken(serverId: string, incarnation: number): Promise<string> {
    return this.sign({ inc: incarnation }, serverId, audience.server, null);
  }

  readServerToken(token: string, now: number): Promise<{ serverId: string; incarnation: number }> {
    return this.servers.get(token, now, now + serverTokenMs, async () => {
      const { sub, inc } = await this.read(token, audience.server);
      if (typeof sub !== 'string' || typeof inc !== 'number')
        throw new NotAuthenticated('The server token lacks its claims; register again.');
      return { serverId: sub, incarnation: inc };
    });
  }

  /**
   * A member's consent to be queued by a leader, reusable until it expires: a leader who cancels, or whose match is
   * remade, queues again without new passes. A member who wants to withdraw at any time joins a party instead and
   * leaves it.
   *
   * @returns the pass and its expiry (milliseconds since the epoch)
   */
  async partyPass(
    { playerId, claims, canPlay, build, platform, crossPlay }: Consent,
    leader: string,
    now: number,
  ): Promise<{ pass: string; expiresAt: number; reusable: true }> {
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
      pass: await this.sign(said, playerId, audience.party, Math.floor(expiresAt / 1000)),
      expiresAt,
      reusable: true,
    };
  }

  /** @returns the member who consented @throws PartyPassRefused if the pass is expired, forged or for another leader */
  async readPartyPass(pass: string, leader: string): Promise<Consent> {
    const claims = await this.read(pass, audience.party).catch(() => {
      throw new PartyPassRefused(
        'A party pass is no longer valid. Ask the member for a new one (POST /v1/party-passes).',
      );
    });
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
  joinToken({ playerId, matchId, sessionId, team }: JoinClaim, now: number): Promise<string> {
    const endsAt = Math.floor((now + joinLifetimeMs) / 1000);
    return this.joins.get(`${sessionId} ${playerId}`, now, now + joinLifetimeMs / 2, () =>
      this.sign({ match: matchId, session: sessionId, team }, playerId, audience.join, endsAt),
    );
  }

  private sign(
    claims: JWTPayload,
    subject: string,
    to: string,
    expiresAtSeconds: number | null,
  ): Promise<string> {
    const jwt = new SignJWT(claims)
      .setProtectedHeader({ alg: algorithm, kid: this.kid })
      .setSubject(subject)
      .setAudience(to)
      .setIssuer('muster');
    return (expiresAtSeconds === null ? jwt : jwt.setExpirationTime(expiresAtSeconds)).sign(this.key);
  }

  private async read(token: string, to: string): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(token, this.keys, {
        audience: to,
        issuer: 'muster',
        algorithms: [algorithm],
      });
      return payload;
    } catch (error) {
      throw new NotAuthenticated(reasonOf(error));
    }
  }
}

/** Requirements of players' tokens beside the signature. */
export interface PlayerTokenDemands {
  /** The required `iss`; any if absent. */
  readonly issuer?: string;
  /** The maximum time from `iat` (or from now, without one) to `exp`. */
  readonly longestSeconds?: number;
}

const playerId = /^[A-Za-z0-9][A-Za-z0-9_.:@-]{0,63}$/;

/** The time from issue to expiry; an `iat` in the future counts as now. */
function lifetimeSeconds({ iat, exp = 0 }: JWTPayload, now: number): number {
  return exp - Math.min(iat ?? now / 1000, now / 1000);
}

/** Verifies players' tokens, which the game's login signs. Caches verified tokens until they expire. */
export class PlayerTokens {
  private readonly seen = new LRUCache<string, { player: VouchedPlayer; endsAt: number }>({ max: 50_000 });
  private readonly keys: ReturnType<typeof createLocalJWKSet>;

  /** @param jwks public keys of the login, as JSON */
  constructor(
    jwks: string,
    private readonly demands: PlayerTokenDemands = {},
  ) {
    this.keys = createLocalJWKSet(JSON.parse(jwks) as JSONWebKeySet);
  }

  /** @throws NotAuthenticated with the reason */
  async playerOf(token: string, now: number): Promise<VouchedPlayer> {
    const known = this.seen.get(token);
    if (known && known.endsAt > now) return known.player;
    let payload: JWTPayload;
    try {
      ({ payload } = await jwtVerify(token, this.keys, {
        algorithms: [algorithm],
        requiredClaims: ['sub', 'exp'],
        currentDate: new Date(now),
        ...(this.demands.issuer === undefined ? {} : { issuer: this.demands.issuer }),
      }));
    } catch (error) {
      throw new NotAuthenticated(reasonOf(error));
    }
    const { exp = 0, aud } = payload;
    // The library types `sub` as a string but checks only its presence.
    const sub: unknown = payload.sub;
    if (aud !== undefined && ![aud].flat().includes('muster'))
      throw new NotAuthenticated('The token is meant for another audience than "muster".');
    if (typeof sub !== 'string' || !playerId.test(sub)) {
      throw new NotAuthenticated(
        'The token’s `sub` is not a player id: a string of letters, digits and _ . : @ - (64 at most).',
      );
    }
    const { longestSeconds } = this.demands;
    if (longestSeconds !== undefined && lifetimeSeconds(payload, now) > longestSeconds) {
      throw new NotAuthenticated(
        `The token is valid for more than ${longestSeconds} s; get one with a shorter lifetime.`,
      );
    }
    const claims = readPlayerClaims(payload['muster']);
    if (!claims) {
      throw new NotAuthenticated(
        'The token’s claim "muster" is invalid: verified is a boolean, playMinutes a number, accountCreatedAt milliseconds since the epoch; other fields are not allowed.',
      );
    }
    const player = { playerId: sub, claims };
    this.seen.set(token, { player, endsAt: exp * 1000 });
    return player;
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired; get a new one.';
  if (error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JWKSNoMatchingKey)
    return 'The token is not signed by a trusted key.';
  if (error instanceof errors.JWTClaimValidationFailed)
    return `The token’s claim "${error.claim}" is missing or invalid.`;
  return 'The token is not a valid JWT (EdDSA).';
}
