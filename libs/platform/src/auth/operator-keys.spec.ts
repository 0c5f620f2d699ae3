import { beforeEach, describe, expect, it } from 'vitest';
import { hashOfKey, OperatorKeys } from './operator-keys.js';

const now = Date.UTC(2026, 10, 22);
let elapsed: number;
let reads: number;
let isDown: boolean;
let stored: Map<string, Date | null>;
let used: string[];
let keys: OperatorKeys;

beforeEach(() => {
  [elapsed, reads, isDown, used] = [10_000, 0, false, []];
  stored = new Map([['muk_ann', null]]);
  const store = {
    valid: async () => {
      reads++;
      if (isDown) throw new Error('away');
      return [...stored].map(([key, expires_at]) => ({
        id: `id of ${key}`,
        name: key.slice(4),
        role: 'support',
        hash: hashOfKey(key),
        expires_at,
      }));
    },
    used: async (id: string) => void used.push(id),
  };
  keys = new OperatorKeys(
    store,
    () => elapsed,
    () => undefined,
    async (ms) => void (elapsed += ms),
  );
});

const nameOf = async (key: string): Promise<string | undefined> => (await keys.find(key, now))?.name;

describe('the keys of operators', () => {
  it('are read once for many calls, and their use is noted once a minute', async () => {
    for (let i = 0; i < 3; i++) expect(await nameOf('muk_ann')).toBe('ann');
    expect([reads, used.length]).toEqual([1, 1]);
    elapsed += 60_000;
    await nameOf('muk_ann');
    expect(used.length).toBe(2);
  });

  it('are known at once when they were created, and forgotten soon after they were revoked', async () => {
    await nameOf('muk_ann');
    stored.set('muk_bob', null);
    expect(await nameOf('muk_bob')).toBe('bob');
    stored.delete('muk_ann');
    expect(await nameOf('muk_ann')).toBe('ann');
    elapsed += 5_001;
    expect(await nameOf('muk_ann')).toBeUndefined();
  });

  it('cost the store few reads, however many unknown ones are tried at once', async () => {
    await Promise.all(Array.from({ length: 100 }, (_, i) => nameOf(`muk_${i}`)));
    expect(reads).toBeLessThanOrEqual(2);
  });

  it('end when they expire, between two reads', async () => {
    stored.set('muk_bob', new Date(now + 1));
    expect(await nameOf('muk_bob')).toBe('bob');
    expect(await keys.find('muk_bob', now + 1)).toBeNull();
  });

  it('are accepted for ten minutes while the store is away, and then its error is told', async () => {
    await nameOf('muk_ann');
    isDown = true;
    elapsed += 600_000;
    expect(await nameOf('muk_ann')).toBe('ann');
    elapsed += 2_000;
    for (let i = 0; i < 2; i++) await expect(nameOf('muk_ann')).rejects.toThrow('away');
    isDown = false;
    elapsed += 1_000;
    expect(await nameOf('muk_ann')).toBe('ann');
  });
});
