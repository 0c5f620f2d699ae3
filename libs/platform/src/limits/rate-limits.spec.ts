import { describe, expect, it } from 'vitest';
import { defaultRates, RateLimitDocument, type Rates } from './limit-settings.js';
import { RateLimits } from './rate-limits.js';

const rates: Rates = {
  ...defaultRates,
  tickets: { player: { burst: 2, perMinute: 60 }, address: { burst: 3, perMinute: 60 } },
};
const player = (id: string): { kind: 'player'; id: string } => ({ kind: 'player', id });

describe('limits of rate', () => {
  it('count each player and each address', () => {
    const limits = new RateLimits(rates, null, () => 0);
    const left = (id: string, address: string): string => {
      const verdict = limits.take('tickets', player(id), address);
      return verdict ? `${verdict.limit.name} ${verdict.waitMs > 0 ? 'no' : verdict.left}` : '';
    };
    expect([
      left('ann', 'a'),
      left('ann', 'a'),
      left('ann', 'a'),
      left('bob', 'a'),
      left('eve', 'a'),
    ]).toEqual([
      'tickets-by-player 1',
      'tickets-by-player 0',
      'tickets-by-player no',
      'tickets-by-address 0',
      'tickets-by-address no',
    ]);
    expect(left('eve', 'b')).toBe('tickets-by-player 1');
  });

  it('take nothing for a call that is refused', () => {
    let now = 0;
    const limits = new RateLimits(rates, null, () => now);
    for (let i = 0; i < 50; i++) limits.take('tickets', player('ann'), 'a');
    now = 1_000;
    expect(limits.take('tickets', player('bob'), 'a')?.waitMs).toBe(0);
    expect(limits.take('tickets', player('ann'), 'b')?.waitMs).toBe(0);
  });

  it('count nothing of a class without a limit, of an address that is exempt, or when they are off', () => {
    expect(new RateLimits(rates).take('servers', player('ann'), 'a')).toBeNull();
    expect(new RateLimits(rates).take('attempts', null, null)).toBeNull();
    expect(new RateLimits(null).take('tickets', player('ann'), 'a')).toBeNull();
  });

  it('have names that tell class and subject', () => {
    expect(new RateLimits(defaultRates).all.map(({ name }) => name)).toContain('tickets-by-address');
  });
});

describe('the document of limits', () => {
  it('names what is other than by default', () => {
    const { rates: read, exempt } = RateLimitDocument.parse({
      tickets: { player: { burst: 5, perMinute: 10 }, address: null },
      exempt: [],
    });
    expect(read?.tickets).toEqual({ player: { burst: 5, perMinute: 10 }, address: null });
    expect(read?.parties).toEqual(defaultRates.parties);
    expect(exempt).toEqual([]);
    expect(RateLimitDocument.parse('off').rates).toBeNull();
  });

  it.each([
    [{ ticket: {} }, /ticket/],
    [{ tickets: { server: null } }, /server/],
    [{ tickets: { player: { burst: 0, perMinute: 1 } } }, /0|1/],
    [{ exempt: ['everyone'] }, /everyone/],
    ['on', /object/],
  ])('refuses %j', (document, why) => {
    expect(JSON.stringify(RateLimitDocument.safeParse(document).error?.issues)).toMatch(why);
  });
});
