import { endpointOf } from '@muster/contracts';
import { createLocalJWKSet, errors, jwtVerify, type JSONWebKeySet, type JWTPayload } from 'jose';

/** Who joins which session, by a verified token. */
export interface Join {
  readonly playerId: string;
  readonly matchId: string;
  readonly sessionId: string;
  /** From 0. */
  readonly team: number;
  /** When the token expires, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

/**
 * Why a token is refused: it is no token of the coordinator (`malformed`), no known key signed it (`untrusted`), it is
 * too old (`expired`), for another purpose (`other-audience`), or for another session (`other-session`). With
 * `keys-unavailable` it could not be checked: no key is cached and the coordinator does not answer.
 */
export type JoinRefusal =
  'malformed' | 'untrusted' | 'expired' | 'other-audience' | 'other-session' | 'keys-unavailable';

/** A join token that does not admit its bearer. The message is for logs and for the player. */
export class JoinRefused extends Error {
  constructor(
    readonly code: JoinRefusal,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'JoinRefused';
  }
}

export interface JoinTokenOptions {
  /** The coordinator's origin, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** How far clocks may differ, in seconds; 30 by default. */
  readonly clockToleranceSeconds?: number;
  /** The time-out of fetching the keys, in milliseconds; 5,000 by default. */
  readonly timeoutMs?: number;
  /** Milliseconds since the epoch; the clock of this machine by default. */
  readonly now?: () => number;
}

/** Keys older than this are fetched again in the background. */
const refreshMs = 600_000;
/** The least time between two fetches, so that forged tokens do not cause one each. */
const coolDownMs = 30_000;
/** The same after a fetch that failed. */
const retryMs = 1_000;

const audience = 'muster-join';
const issuer = 'muster';

/**
 * Verifies the tokens with which players join sessions, without asking the coordinator: its public keys are fetched once
 * and kept. They are fetched again every ten minutes, and when a token names an unknown key. While the coordinator is
 * away, the keys that are known stay in use.
 */
export class JoinTokens {
  private keys: ReturnType<typeof createLocalJWKSet> | null = null;
  private fetching: Promise<void> | null = null;
  private freshUntil = -Infinity;
  private nextFetchAt = -Infinity;
  private readonly now: () => number;

  constructor(private readonly options: JoinTokenOptions) {
    this.now = options.now ?? Date.now;
  }

  /**
   * @param session the session that the player joins, or tells which sessions the token may be for
   * @throws JoinRefused with the reason as its `code`
   */
  async verify(token: string, session: string | ((sessionId: string) => boolean)): Promise<Join> {
    const join = joinOf(await this.read(token));
    const isHere = typeof session === 'string' ? session === join.sessionId : session(join.sessionId);
    if (!isHere)
      throw new JoinRefused('other-session', `The join token is for the session ${join.sessionId}.`);
    return join;
  }

  /** Fetches the keys, unless they are known or were just fetched. Does not fail. */
  async load(): Promise<void> {
    if (this.now() >= this.freshUntil) await this.fetchKeys().catch(() => undefined);
  }

  private async read(token: string): Promise<JWTPayload> {
    if (this.keys) void this.load();
    else await this.fetchKeys();
    try {
      return await this.check(token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw refusalOf(error);
    }
    // The coordinator may have a new key. If it cannot be asked, the token is not signed by a known one.
    await this.fetchKeys().catch(() => undefined);
    return this.check(token).catch((error: unknown) => {
      throw refusalOf(error);
    });
  }

  private async check(token: string): Promise<JWTPayload> {
    if (!this.keys) throw new JoinRefused('keys-unavailable', 'The public keys are unknown.');
    const { payload } = await jwtVerify(token, this.keys, {
      algorithms: ['EdDSA'],
      audience,
      issuer,
      requiredClaims: ['sub', 'exp', 'session', 'match', 'team'],
      clockTolerance: this.options.clockToleranceSeconds ?? 30,
      currentDate: new Date(this.now()),
    });
    return payload;
  }

  /** Concurrent calls share one fetch. @throws JoinRefused if there are no keys */
  private fetchKeys(): Promise<void> {
    if (this.fetching) return this.fetching;
    if (this.keys && this.now() < this.nextFetchAt) return Promise.resolve();
    this.fetching = this.fetchOnce().finally(() => (this.fetching = null));
    return this.fetching;
  }

  private async fetchOnce(): Promise<void> {
    try {
      const url = this.options.url.replace(/\/+$/, '') + endpointOf('jwks').path;
      const response = await fetch(url, { signal: AbortSignal.timeout(this.options.timeoutMs ?? 5_000) });
      if (!response.ok) throw new Error(`${url} answers ${response.status}`);
      const jwks = (await response.json()) as JSONWebKeySet;
      const keys = createLocalJWKSet(jwks);
      if (jwks.keys.length === 0) throw new Error(`${url} has no keys`);
      this.keys = keys;
      this.freshUntil = this.now() + refreshMs;
      this.nextFetchAt = this.now() + coolDownMs;
    } catch (error) {
      this.nextFetchAt = this.now() + retryMs;
      this.freshUntil = Math.max(this.freshUntil, this.nextFetchAt);
      throw new JoinRefused(
        'keys-unavailable',
        'The join token cannot be checked: the coordinator’s public keys are unavailable. Try again shortly.',
        { cause: error },
      );
    }
  }
}

function joinOf({ sub, exp, match, session, team }: JWTPayload): Join {
  const isTeam = typeof team === 'number' && Number.isInteger(team) && team >= 0;
  if (typeof sub !== 'string' || typeof match !== 'string' || typeof session !== 'string' || !isTeam)
    throw new JoinRefused('malformed', 'The join token lacks its claims.');
  return { playerId: sub, matchId: match, sessionId: session, team, expiresAt: Number(exp) * 1_000 };
}

function refusalOf(error: unknown): JoinRefused {
  if (error instanceof JoinRefused) return error;
  const refused = (code: JoinRefusal, message: string): JoinRefused =>
    new JoinRefused(code, message, { cause: error });
  if (error instanceof errors.JWTExpired)
    return refused('expired', 'The join token has expired. Read the ticket again for a new one.');
  if (error instanceof errors.JWTClaimValidationFailed && ['aud', 'iss'].includes(error.claim))
    return refused('other-audience', 'The token is not a join token: it was issued for another purpose.');
  if (
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys
  )
    return refused('untrusted', 'The join token is not signed by a key of the coordinator.');
  return refused('malformed', 'The join token is not a valid JWT (EdDSA) with its claims.');
}
