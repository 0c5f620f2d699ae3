import { beforeEach, describe, expect, it } from 'vitest';
import { Nonces } from './nonces.js';

const shared = new Set<string>();
let isAway: boolean;
/** Redis as far as nonces use it; two replicas share it in test/e2e. */
const redis = {
  set: async (name: string) => {
    if (isAway) throw new Error('Redis is away');
    if (shared.has(name)) return null;
    shared.add(name);
    return 'OK';
  },
};

const replica = (): Nonces => new Nonces(() => redis, 'muster:{r}');

beforeEach(() => {
  shared.clear();
  isAway = false;
});

describe('a nonce', () => {
  it('is used once with a key, on any replica', async () => {
    const [one, two] = [replica(), replica()];
    await one.use('k', 'n', true);
    await two.use('k2', 'n', true);
    await expect(one.use('k', 'n', true)).rejects.toMatchObject({ code: 'request-replayed' });
    await expect(two.use('k', 'n', true)).rejects.toMatchObject({ code: 'request-replayed' });
    expect([...shared][0]).toMatch(/^muster:\{r\}:nonce:[\w-]{43}$/);
  });

  it('is judged by what the process saw while Redis is away, of calls that are safe to repeat alone', async () => {
    isAway = true;
    const one = replica();
    await one.use('k', 'n', true);
    await expect(one.use('k', 'n', true)).rejects.toMatchObject({ code: 'request-replayed' });
    await expect(one.use('k', 'other', false)).rejects.toThrow('Redis is away');
  });
});
