import { describe, expect, it } from 'vitest';
import { rotated, secretsOf } from './secrets.js';
import { makeSecret, signatureOf } from './webhook-sender.client.js';

const first = [{ secret: 'one', until: null }];

describe('secrets', () => {
  it('overlap in a rotation: the new one first, the one before for a while', () => {
    const both = rotated(first, 'two', { now: 1_000, overlapMs: 500 });
    expect(secretsOf(both, 1_499).map(({ secret }) => secret)).toEqual(['two', 'one']);
    expect(secretsOf(both, 1_500).map(({ secret }) => secret)).toEqual(['two']);
  });

  it('are two at most, and one without an overlap', () => {
    const both = rotated(first, 'two', { now: 0, overlapMs: 500 });
    expect(rotated(both, 'three', { now: 1, overlapMs: 500 }).map(({ secret }) => secret)).toEqual([
      'three',
      'two',
    ]);
    expect(rotated(first, 'two', { now: 0, overlapMs: 0 })).toEqual([{ secret: 'two', until: null }]);
  });

  it('sign as Standard Webhooks says', () => {
    // The example of its libraries.
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const signed = signatureOf(secret, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, '{"test": 2432232314}');
    expect(signed).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
    expect(makeSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  });
});
