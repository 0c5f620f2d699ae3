import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPlayerId, playerIdOf } from './player-ids.js';

describe('the id of a player of another login', () => {
  it.each([
    ['alice', '', 'alice'],
    ['alice', 'gg', 'gg:alice'],
    ['auth0|507f1f77bcf86cd799439020', 'a0', 'a0:auth0@7c507f1f77bcf86cd799439020'],
    ['eu-west-1:0a1b', '', 'eu-west-1:0a1b'],
    ['ann@example.org', '', 'ann@40example.org'],
    ['Zoë', '', 'Zo@c3@ab'],
    ['_bob', 'x', 'x:_bob'],
  ])('%s with the prefix %j is %s', (id, prefix, expected) => {
    expect(playerIdOf(id, prefix)).toBe(expected);
  });

  it.each(['_bob', '|bob', ':bob', 'x'.repeat(65), '漢字'.repeat(20)])(
    'that does not fit is a hash: %s',
    (id) => {
      expect(playerIdOf(id, '')).toMatch(/^h@\.[A-Za-z0-9_-]{43}$/);
      expect(playerIdOf(id.repeat(40), 'sixteen-letters-')).toMatch(
        /^sixteen-letters-:h@\.[A-Za-z0-9_-]{43}$/,
      );
    },
  );

  it.each(['', '\uD800', 'a\uDC00'])('is none for %j', (id) => {
    expect(playerIdOf(id, 'x')).toBeNull();
  });

  const ids = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }),
    fc.string({
      unit: fc.constantFrom('@', '4', '0', 'h', '.', ':', 'a', '|', '7', 'c', '-'),
      minLength: 1,
      maxLength: 12,
    }),
  );
  const prefixes = fc.constantFrom('', 'a', 'b', 'a0');

  it('is one that Muster takes, and never that of another player', () => {
    fc.assert(
      fc.property(ids, ids, prefixes, (one, other, prefix) => {
        const [first, second] = [playerIdOf(one, prefix), playerIdOf(other, prefix)];
        expect(first !== null && isPlayerId(first)).toBe(true);
        expect(first === second).toBe(one === other);
      }),
    );
  });

  it('is never that of a player of a login with another prefix', () => {
    fc.assert(
      fc.property(ids, ids, (one, other) => {
        expect(playerIdOf(one, 'a')).not.toBe(playerIdOf(other, 'a0'));
      }),
    );
  });
});
