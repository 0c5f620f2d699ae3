import { InvalidArgumentError } from 'commander';
import { describe, expect, it } from 'vitest';
import { personId, playerId } from './options.js';

describe('the id of a player', () => {
  it.each(['álïce', '', '-x', 'a b', '__proto__', 'x'.repeat(65)])('is not %j', (id) => {
    expect(() => personId(id)).toThrow(InvalidArgumentError);
    expect(() => playerId(id)).toThrow(InvalidArgumentError);
  });

  it.each(['bot:1', 'erased-0123456789abcdef01'])('of a person is not %s, which is reserved', (id) => {
    expect(() => personId(id)).toThrow('must not begin with bot: or erased-');
    expect(playerId(id)).toBe(id);
  });

  it('may be a name of every object', () => {
    expect(personId('constructor')).toBe('constructor');
  });
});
