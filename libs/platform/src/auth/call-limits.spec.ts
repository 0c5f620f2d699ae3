import { noMeter } from '@muster/contracts';
import { NotAuthenticated, TooManyRequests } from '@muster/domain';
import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { CallLimits } from './call-limits.js';
import { defaultRates } from '../limits/limit-settings.js';
import { RateLimits } from '../limits/rate-limits.js';

const request = { headers: { authorization: 'Bearer guess' } } as FastifyRequest;

/** Limits with one answer at a time; `told` has its headers. */
function limited() {
  let now = 0;
  const told = new Map<string, unknown>();
  const reply = {
    header(name: string, value: unknown) {
      told.set(name, value);
      return reply;
    },
  };
  const rates = {
    ...defaultRates,
    tickets: { player: { burst: 2, perMinute: 30 } },
    attempts: { address: { burst: 2, perMinute: 60 } },
  };
  const limits = new CallLimits(new RateLimits(rates, null, () => now), { of: () => '203.0.113.7' }, noMeter);
  const call = (): unknown => {
    try {
      limits.take(
        'createTicket',
        { kind: 'player', playerId: 'ann', claims: {} },
        request,
        reply as unknown as Parameters<CallLimits['take']>[3],
      );
      return null;
    } catch (error) {
      return error;
    }
  };
  return { limits, call, told, at: (ms: number) => (now = ms) };
}

describe('limited calls', () => {
  it('are told what is left, and when refused how long to wait', () => {
    const { call, told, at } = limited();
    expect(call()).toBeNull();
    expect(Object.fromEntries(told)).toEqual({
      'ratelimit-policy': '"tickets-by-player";q=2;w=4',
      ratelimit: '"tickets-by-player";r=1;t=2',
    });
    call();
    at(500);
    const refused = call();
    expect(refused).toBeInstanceOf(TooManyRequests);
    expect(refused).toMatchObject({
      message:
        'Too many calls of the class tickets from this player: 2 at once and 30 a minute are allowed. Try again in 2 s.',
      facts: { retryAfterSeconds: 2, 'violated-policies': ['tickets-by-player'] },
    });
    expect(told.get('ratelimit')).toBe('"tickets-by-player";r=0;t=2');
    at(2_000);
    expect(call()).toBeNull();
  });

  it('are refused before a key is compared, once an address guessed too often', () => {
    const { limits, at } = limited();
    const wrong = new NotAuthenticated('The key is unknown.');
    expect([limits.failed(wrong, request), limits.failed(wrong, request)]).toEqual([wrong, wrong]);
    expect(limits.failed(wrong, request)).toBeInstanceOf(TooManyRequests);
    expect(() => limits.checkAttempts(request)).toThrow(TooManyRequests);
    at(1_000);
    expect(() => limits.checkAttempts(request)).not.toThrow();
  });

  it('count no error but a failed authentication', () => {
    const { limits } = limited();
    const other = new Error('a store is away');
    for (let i = 0; i < 5; i++) expect(limits.failed(other, request)).toBe(other);
    expect(() => limits.checkAttempts(request)).not.toThrow();
  });
});
