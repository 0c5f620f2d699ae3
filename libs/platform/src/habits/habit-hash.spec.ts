import { expect, it } from 'vitest';
import { habitHash } from './habit-hash.js';

/** The hash of one code. */
function hashOf(secret: string, pool: string, kind: string, code: string): string | undefined {
  const [hashed] = habitHash(JSON.stringify({ d: secret }))(pool, { ann: { [kind]: code } });
  return hashed?.code;
}

it('a hash of a habit is the same in every process, and another for another pool, kind, code or key', () => {
  const one = hashOf('secret', 'ladder', 'device', 'd-1');
  expect(one).toMatch(/^[\w-]{22}$/);
  expect(hashOf('secret', 'ladder', 'device', 'd-1')).toBe(one);
  const others = [
    hashOf('secret', 'duel', 'device', 'd-1'),
    hashOf('secret', 'ladder', 'network', 'd-1'),
    hashOf('secret', 'ladder', 'device', 'd-2'),
    // The parts are told apart.
    hashOf('secret', 'ladder', 'deviced', '-1'),
    hashOf('other', 'ladder', 'device', 'd-1'),
  ];
  expect(new Set([one, ...others]).size).toBe(6);
});

it('bots and erased players have no habits', () => {
  const hashed = habitHash(JSON.stringify({ d: 'secret' }))('ladder', {
    ann: { device: 'd-1', network: 'n-1' },
    'bot:1': { device: 'd-1' },
    'erased-1': { device: 'd-1' },
  });
  expect(hashed.map(({ playerId, kind }) => `${playerId} ${kind}`)).toEqual(['ann device', 'ann network']);
});
