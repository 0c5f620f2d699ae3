import { describe, expect, it } from 'vitest';
import { callOf } from './audit.interceptor.js';

const who = { name: 'ann', role: 'support', signIn: 'key', keyId: 'key_1' } as const;
const sent = (over: object): Parameters<typeof callOf>[1] => ({
  params: {},
  query: {},
  body: undefined,
  headers: {},
  socket: { remoteAddress: '10.0.0.9' },
  ...over,
});

describe('a row of the audit log', () => {
  it('has the plain fields of what was sent, what it is about, and why', () => {
    const params = { pool: 'ladder', playerId: 'p1' };
    const body = { mu: 30, reason: 'a guest', rules: { deep: 1 }, list: ['p2'], eventId: 'e\0\ud800' };
    expect(callOf('setRating', sent({ params, body }), who)).toEqual({
      who: 'ann',
      signIn: 'key',
      keyId: 'key_1',
      role: 'support',
      call: 'setRating',
      targets: ['ladder', 'p1'],
      reason: 'a guest',
      asked: { mu: 30, reason: 'a guest', eventId: 'e', pool: 'ladder', playerId: 'p1' },
      origin: '10.0.0.9',
    });
  });

  it('names what the body names, once', () => {
    const request = sent({ params: { pool: 'ladder' }, body: { playerId: 'p1', pool: 'ladder', name: 'x' } });
    expect(callOf('grantBooster', request, who).targets).toEqual(['ladder', 'p1', 'x']);
  });

  it('is bounded, whatever is sent', () => {
    const body = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`f${i}`, 'x'.repeat(1_000)]));
    const { asked, origin } = callOf(
      'createPool',
      sent({ body, headers: { 'x-forwarded-for': `${'1.1.1.1, '.repeat(100)}2.2.2.2` } }),
      who,
    );
    expect(Object.values(asked).map(String)).toEqual(Array(40).fill('x'.repeat(500)));
    expect(origin.length).toBeLessThanOrEqual(500);
    expect(origin).toMatch(/2\.2\.2\.2, 10\.0\.0\.9$/);
  });
});
