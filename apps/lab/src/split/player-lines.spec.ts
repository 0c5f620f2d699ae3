import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPlayers } from './player-lines.js';

describe('readPlayers', () => {
  it('reads a weight and a name per line, and skips blank lines and comments', () => {
    const text = '\uFEFF# tonight\r\n\r\n92 Riddick\r\n  49\tJack O’Neill \n#5 Nobody\n-1.5e1 5 of 7\n.5 a';
    expect(readPlayers(text, 'list')).toEqual([
      { weight: 92, name: 'Riddick' },
      { weight: 49, name: 'Jack O’Neill' },
      { weight: -15, name: '5 of 7' },
      { weight: 0.5, name: 'a' },
    ]);
  });

  it.each([
    ['Boring John', /^list, line 2: "Boring John" does not begin with a number; .*"12\.5 Boring John"/],
    ['5Boring', /"5Boring" does not begin with a number/],
    ['0x10 John', /does not begin with a number/],
    ['NaN John', /does not begin with a number/],
    ['5', /^list, line 2: "5" has no name; .*"12\.5 Boring John"/],
    ['1e999 John', /"1e999" is beyond 1000000000000, the maximum weight/],
    ['-1e308 John', /"-1e308" is beyond 1000000000000/],
    ['\u001B[31m'.repeat(100), /^[\u0020-\u007E…]*$/],
  ])('refuses %j', (line, message) => {
    expect(() => readPlayers(`1 Ann\n${line}\n2 Bob`, 'list')).toThrow(message);
  });

  it('reads back all written players', () => {
    const name = fc.stringMatching(/^[!-~]( ?[!-~]){0,30}$/);
    const weight = fc.double({ min: -1e12, max: 1e12, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.record({ weight, name })), (players) => {
        const text = players.map((player) => `${player.weight} ${player.name}`).join('\n');
        // JSON has no −0, and neither does a list.
        const read = readPlayers(text, 'list').map((player) => ({ ...player, weight: player.weight + 0 }));
        expect(read).toEqual(players.map((player) => ({ ...player, weight: player.weight + 0 })));
      }),
    );
  });

  it('is not slowed down by a line of digits', () => {
    expect(() => readPlayers('1'.repeat(200_000), 'list')).toThrow('the maximum weight');
    expect(() => readPlayers(`${'1'.repeat(200_000)}!`, 'list')).toThrow('does not begin');
  });
});
