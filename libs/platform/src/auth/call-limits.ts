import { limitOf, type EndpointName, type Meter } from '@muster/contracts';
import { NotAuthenticated, TooManyRequests } from '@muster/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Identity } from './callers.js';
import type { CallerAddresses } from '../limits/caller-address.js';
import type { Subject } from '../limits/limit-settings.js';
import type { RateLimit, RateLimits, RateVerdict } from '../limits/rate-limits.js';

type Reply = Pick<FastifyReply, 'header'>;

/** Limits how often callers call, and tells them in `RateLimit` headers (draft-ietf-httpapi-ratelimit-headers). */
export class CallLimits {
  private readonly policies: ReadonlyMap<RateLimit, string>;

  constructor(
    private readonly limits: RateLimits,
    private readonly addresses: Pick<CallerAddresses, 'of'>,
    private readonly meter: Pick<Meter, 'count'>,
  ) {
    this.policies = new Map(limits.all.map((limit) => [limit, policyOf(limit)]));
  }

  /** Takes a call of an authenticated caller. @throws TooManyRequests */
  take(name: EndpointName, who: Identity, request: FastifyRequest, reply: Reply): void {
    const caller = callerOf(who);
    const address = countsAddress(who) ? this.addresses.of(request) : null;
    const verdict = this.limits.take(limitOf(name), caller, address);
    if (!verdict) return;
    this.tell(verdict, reply);
    if (verdict.waitMs > 0) throw this.refused(verdict);
  }

  /**
   * Before a key is compared: an address that guessed too often gets no answer for a while, also if it guesses right. Tokens are
   * verified nevertheless. Nobody guesses a signature, and other players may be behind the address.
   *
   * @throws TooManyRequests
   */
  checkAttempts(request: FastifyRequest): void {
    const verdict = this.limits.spent('attempts', this.addresses.of(request));
    if (verdict) throw this.refused(verdict);
  }

  /** Counts a failed attempt to authenticate. @returns what the caller gets: the error, or that these were too many */
  failed(error: unknown, request: FastifyRequest): unknown {
    // Who sends nothing guesses nothing.
    if (!(error instanceof NotAuthenticated) || request.headers.authorization === undefined) return error;
    const verdict = this.limits.take('attempts', null, this.addresses.of(request));
    return verdict && verdict.waitMs > 0 ? this.refused(verdict) : error;
  }

  private tell({ limit, left, waitMs }: RateVerdict, reply: Reply): void {
    // In `t` seconds no more than `r` calls: at the rate of the limit, or none until the next one.
    const seconds = waitMs > 0 ? secondsOf(waitMs) : secondsOf(left * limit.everyMs);
    void reply
      .header('ratelimit-policy', this.policies.get(limit))
      .header('ratelimit', `"${limit.name}";r=${left};t=${Math.max(1, seconds)}`);
  }

  private refused({ limit, waitMs }: RateVerdict): TooManyRequests {
    this.meter.count('rateLimited', { limit: limit.name });
    const { burst, perMinute } = limit.rate;
    const retryAfterSeconds = Math.max(1, secondsOf(waitMs));
    const [what = '', subject = ''] = limit.name.split('-by-');
    return new TooManyRequests(
      `Too many calls of the class ${what} from this ${subject}: ${burst} at once and ${perMinute} a minute are allowed. Try again in ${retryAfterSeconds} s.`,
      { retryAfterSeconds, 'violated-policies': [limit.name] },
    );
  }
}

const secondsOf = (ms: number): number => Math.ceil(ms / 1_000);

const policyOf = ({ name, rate, fillMs }: RateLimit): string =>
  `"${name}";q=${rate.burst};w=${Math.max(1, secondsOf(fillMs))}`;

/** By whom a caller is known; null for one that has an address alone. */
function callerOf(who: Identity): { readonly kind: Subject; readonly id: string } | null {
  switch (who.kind) {
    case 'player':
      return { kind: 'player', id: who.playerId };
    case 'server':
      return { kind: 'server', id: who.serverId };
    case 'fleet':
      return { kind: 'key', id: who.keyId ?? 'fleet' };
    case 'operator':
      return { kind: 'key', id: who.keyId ?? who.name };
    case 'anyone':
      return null;
  }
}

/** Game servers of one place share an address, and each has a limit of its own. */
const countsAddress = ({ kind }: Identity): boolean => kind !== 'server' && kind !== 'operator';
